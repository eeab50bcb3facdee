-- Which shard it is, over all copies of its database; and up to when journals are settled by an operator's word. A backup
-- that was restored waits for that word whatever the journals say.
ALTER TABLE "shard_state"
    ADD COLUMN "identity" TEXT NOT NULL DEFAULT gen_random_uuid()::text,
    ADD COLUMN "settled_at" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "restored" BOOLEAN NOT NULL DEFAULT false;

-- Commits that the database lacks, brought from journals, until they are written again.
CREATE TABLE "redo" (
    "incarnation" BIGINT NOT NULL,
    "lane" INTEGER NOT NULL,
    "number" BIGINT NOT NULL,
    "era" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "redo_pkey" PRIMARY KEY ("incarnation", "lane", "number")
);
CREATE INDEX "redo_era_position_idx" ON "redo"("era", "position");
