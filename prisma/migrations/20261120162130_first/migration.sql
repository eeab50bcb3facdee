-- Made by `npm run db:new`, finished by hand: history is partitioned, and the end of the file sets storage and partial
-- indexes, which the Prisma schema has no words for and the drift check leaves alone.

-- CreateTable
CREATE TABLE "accounts" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "reseller_id" INTEGER,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "time_zone" TEXT NOT NULL DEFAULT 'America/Sao_Paulo',
    "balance" DECIMAL(14,4) NOT NULL DEFAULT 0,
    "caller_id" TEXT NOT NULL DEFAULT '',
    "caller_ids" JSONB NOT NULL DEFAULT '[]',
    "unique_ctid" BOOLEAN NOT NULL DEFAULT false,
    "skip_blocklist" BOOLEAN NOT NULL DEFAULT false,
    "regional_window" INTEGER NOT NULL DEFAULT 0,
    "calling_windows" JSONB,
    "fixed_routes" BOOLEAN NOT NULL DEFAULT false,
    "callback_url" TEXT NOT NULL DEFAULT '',
    "call_rate" DECIMAL(14,4) NOT NULL DEFAULT 0,
    "webhook_secret" TEXT NOT NULL DEFAULT '',
    "settings" JSONB NOT NULL DEFAULT '{}',
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tokens" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "permissions" JSONB,
    "allowed_ips" JSONB NOT NULL DEFAULT '[]',
    "rest" BOOLEAN NOT NULL DEFAULT true,
    "requests_per_second" INTEGER NOT NULL DEFAULT 50,
    "created_at" BIGINT NOT NULL,
    "last_used_at" BIGINT,
    "expires_at" BIGINT,
    "revoked_at" BIGINT,

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "small_ids" (
    "name" TEXT NOT NULL,
    "next" INTEGER NOT NULL,

    CONSTRAINT "small_ids_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "global_blocklist" (
    "number" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "global_blocklist_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "nodes" (
    "incarnation" BIGINT NOT NULL,
    "slot" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "process" TEXT NOT NULL,
    "beat_at" BIGINT NOT NULL,
    "started_at" BIGINT NOT NULL,
    "stopped_at" BIGINT,
    "minted_ms" BIGINT NOT NULL,
    "url" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "nodes_pkey" PRIMARY KEY ("incarnation")
);

-- CreateTable
CREATE TABLE "machines" (
    "account_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "revision" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "milestones" TEXT NOT NULL DEFAULT '[]',
    "snapshot" JSON NOT NULL,
    "agenda" TEXT NOT NULL DEFAULT '[]',
    "wake_at" BIGINT,
    "held_by" BIGINT NOT NULL,
    "step_id" BIGINT NOT NULL,
    "attention" TEXT,
    "created_at" BIGINT NOT NULL,
    "ended_at" BIGINT,

    CONSTRAINT "machines_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "history" (
    "account_id" INTEGER NOT NULL,
    "machine_id" BIGINT NOT NULL,
    "revision" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "at" BIGINT NOT NULL,
    "event" TEXT NOT NULL,
    "payload" JSON,
    "state" TEXT NOT NULL,
    "asked" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "history_pkey" PRIMARY KEY ("account_id","machine_id","revision","day")
) PARTITION BY RANGE ("day");

-- Days get partitions of their own ahead of time (src/store/historyPartitions.ts); what falls between them lands here.
CREATE TABLE "history_default" PARTITION OF "history" DEFAULT;

-- CreateTable
CREATE TABLE "inbox" (
    "account_id" INTEGER NOT NULL,
    "machine_id" BIGINT NOT NULL,
    "id" BIGINT NOT NULL,
    "event" JSON NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("account_id","machine_id","id")
);

-- CreateTable
CREATE TABLE "claims" (
    "account_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "until" BIGINT NOT NULL,
    "owner" TEXT NOT NULL,
    "answer" TEXT,

    CONSTRAINT "claims_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateTable
CREATE TABLE "calls" (
    "account_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "requested_at" BIGINT NOT NULL,
    "destination" TEXT NOT NULL,
    "customer_campaign" TEXT NOT NULL DEFAULT '',
    "campaign_id" INTEGER NOT NULL DEFAULT 0,
    "correlation" TEXT NOT NULL DEFAULT '',
    "origin" TEXT NOT NULL DEFAULT 'api',
    "caller_id" TEXT NOT NULL DEFAULT '',
    "mode" TEXT NOT NULL,
    "audio_key" TEXT NOT NULL DEFAULT '',
    "status" TEXT NOT NULL DEFAULT '',
    "reason" TEXT NOT NULL DEFAULT '',
    "answered_by" TEXT NOT NULL DEFAULT 'ND',
    "called_at" BIGINT NOT NULL,
    "dialed_at" BIGINT,
    "answered_at" BIGINT,
    "ended_at" BIGINT,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "response_1" TEXT NOT NULL DEFAULT '',
    "response_2" TEXT NOT NULL DEFAULT '',
    "response_3" TEXT NOT NULL DEFAULT '',
    "route" TEXT NOT NULL DEFAULT '',
    "recording" TEXT NOT NULL DEFAULT '',
    "recording_seconds" INTEGER NOT NULL DEFAULT 0,
    "transfer_to" TEXT NOT NULL DEFAULT '',
    "transferred_at" BIGINT,
    "sms_id" TEXT NOT NULL DEFAULT '',
    "hangup_cause" INTEGER NOT NULL DEFAULT 0,
    "sip_status" INTEGER NOT NULL DEFAULT 0,
    "attempts" TEXT NOT NULL DEFAULT '[]',
    "finished" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "calls_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "blocklist" (
    "account_id" INTEGER NOT NULL,
    "number" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "blocklist_pkey" PRIMARY KEY ("account_id","number")
);

-- CreateTable
CREATE TABLE "agents" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "concurrent_limit" INTEGER NOT NULL DEFAULT 1,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "queues" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'ch',
    "description" TEXT NOT NULL DEFAULT '',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "strategy" TEXT NOT NULL DEFAULT 'ringall',
    "members" JSONB NOT NULL DEFAULT '[]',
    "settings" JSONB NOT NULL DEFAULT '{}',
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "queues_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "media" (
    "account_id" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "seconds" DECIMAL(10,3) NOT NULL DEFAULT 0,
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT,

    CONSTRAINT "media_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tokens_hash_key" ON "tokens"("hash");

-- CreateIndex
CREATE INDEX "claims_until_idx" ON "claims"("until");

-- CreateIndex
CREATE INDEX "calls_account_id_correlation_id_idx" ON "calls"("account_id", "correlation", "id");

-- CreateIndex
CREATE INDEX "calls_account_id_campaign_id_id_idx" ON "calls"("account_id", "campaign_id", "id");

-- CreateIndex
CREATE INDEX "calls_account_id_customer_campaign_id_idx" ON "calls"("account_id", "customer_campaign", "id");

-- CreateIndex
CREATE INDEX "calls_account_id_customer_campaign_destination_id_idx" ON "calls"("account_id", "customer_campaign", "destination", "id");

-- Storage. A machine and its record are rewritten at every step: free space in the page lets the new version stand
-- beside the old one without touching an index (HOT), and vacuum comes by the rows written, not by a share of a table.
ALTER TABLE "machines" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE "calls" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "inbox" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE "claims" SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "nodes" SET (fillfactor = 50);

-- What is due next: timers, retries, look-ahead and what is overdue of anybody's.
CREATE INDEX "machines_wake_at_idx" ON "machines"("wake_at") WHERE "wake_at" IS NOT NULL;

-- What a dead node held. A step of the same holder changes neither column, so it costs a step nothing.
CREATE INDEX "machines_held_by_idx" ON "machines"("held_by", "account_id", "id") WHERE "ended_at" IS NULL;

-- What has rested long enough to go.
CREATE INDEX "machines_ended_at_idx" ON "machines"("ended_at") WHERE "ended_at" IS NOT NULL;

-- What an operator should look at: a handful of rows.
CREATE INDEX "machines_attention_idx" ON "machines"("account_id", "id") WHERE "attention" IS NOT NULL;
