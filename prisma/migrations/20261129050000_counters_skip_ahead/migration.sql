-- When each writer of rows wrote last, microseconds by the database's clock: how far a copy that is put back may be behind.
ALTER TABLE "row_writers" ADD COLUMN "at" BIGINT NOT NULL DEFAULT 0;
UPDATE "row_writers" SET "at" = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

-- The history, and the start of the server, for which small ids skipped ahead last.
ALTER TABLE "shard_state" ADD COLUMN "counters_history" TEXT;
ALTER TABLE "shard_state" ADD COLUMN "counters_server" TEXT;
