-- A node that stops while the shard is not open may have written what the database has forgotten: it is waited for.
ALTER TABLE "nodes" ADD COLUMN "stopped_in_doubt" BOOLEAN NOT NULL DEFAULT false;
