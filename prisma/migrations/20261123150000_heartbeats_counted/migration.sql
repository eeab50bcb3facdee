-- Nodes are judged by heartbeats that they count, and a node that joins learns how far the shard's time is ahead of the
-- database's clock. Nodes of the version before beat on without either; their stamps are watched instead.
ALTER TABLE "nodes" ADD COLUMN "beats" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "nodes" ADD COLUMN "ahead_ms" BIGINT NOT NULL DEFAULT 0;
