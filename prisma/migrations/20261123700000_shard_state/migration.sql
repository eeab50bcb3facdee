-- Whether machines of the shard may step, and on which history of the server it was opened.
CREATE TABLE "shard_state" (
    "only" BOOLEAN NOT NULL DEFAULT true,
    "state" TEXT NOT NULL DEFAULT 'open',
    "reason" TEXT NOT NULL DEFAULT '',
    "since" BIGINT NOT NULL DEFAULT 0,
    "doubt" INTEGER NOT NULL DEFAULT 0,
    "losses" INTEGER NOT NULL DEFAULT 0,
    "system_identifier" TEXT,
    "timeline" TEXT,

    CONSTRAINT "shard_state_pkey" PRIMARY KEY ("only"),
    CONSTRAINT "shard_state_only" CHECK ("only"),
    CONSTRAINT "shard_state_state" CHECK ("state" IN ('open', 'checking', 'closed'))
);
INSERT INTO "shard_state" DEFAULT VALUES;

-- The number of each writer's last commit.
CREATE TABLE "writers" (
    "incarnation" BIGINT NOT NULL,
    "lane" INTEGER NOT NULL,
    "token" TEXT NOT NULL,
    "number" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "writers_pkey" PRIMARY KEY ("incarnation", "lane")
) WITH (fillfactor = 50);

-- In which doubt about the shard a node vouched for what it knows.
ALTER TABLE "nodes" ADD COLUMN "vouched" INTEGER;
