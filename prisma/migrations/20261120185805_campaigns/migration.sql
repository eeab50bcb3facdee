-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "campaign_windows" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "concurrent_calls" INTEGER;

-- AlterTable
ALTER TABLE "calls" ADD COLUMN     "campaign_row" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "voices" (
    "id" INTEGER NOT NULL,
    "account_id" INTEGER,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "title" TEXT NOT NULL DEFAULT '',
    "language" TEXT NOT NULL,
    "gender" TEXT NOT NULL DEFAULT 'F',
    "type" TEXT NOT NULL DEFAULT 'tts',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "voices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "groups" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "audios" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "file_name" TEXT NOT NULL DEFAULT '',
    "type" TEXT NOT NULL,
    "text" TEXT NOT NULL DEFAULT '',
    "voice" TEXT NOT NULL DEFAULT '',
    "rate" INTEGER NOT NULL DEFAULT 0,
    "wav" TEXT NOT NULL DEFAULT '',
    "mp3" TEXT NOT NULL DEFAULT '',
    "sample" TEXT NOT NULL DEFAULT '',
    "seconds" DECIMAL(10,3) NOT NULL DEFAULT 0,
    "group_id" INTEGER,
    "visible" BOOLEAN NOT NULL DEFAULT true,
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,

    CONSTRAINT "audios_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "lists" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "file" TEXT NOT NULL DEFAULT '',
    "correlation" TEXT NOT NULL DEFAULT '',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "records" INTEGER NOT NULL DEFAULT 0,
    "rejected" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "lists_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "list_records" (
    "account_id" INTEGER NOT NULL,
    "list_id" INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    "numbers" TEXT NOT NULL,
    "region" TEXT NOT NULL DEFAULT '',
    "area" INTEGER NOT NULL DEFAULT 0,
    "mobile" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT NOT NULL DEFAULT '',
    "client_code" TEXT NOT NULL DEFAULT '',
    "extra_1" TEXT NOT NULL DEFAULT '',
    "extra_2" TEXT NOT NULL DEFAULT '',
    "extra_3" TEXT NOT NULL DEFAULT '',
    "extra_4" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "list_records_pkey" PRIMARY KEY ("account_id","list_id","row")
);

-- CreateTable
CREATE TABLE "list_rejects" (
    "account_id" INTEGER NOT NULL,
    "list_id" INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "content" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "list_rejects_pkey" PRIMARY KEY ("account_id","list_id","row")
);

-- CreateTable
CREATE TABLE "campaigns" (
    "account_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "mode" TEXT NOT NULL,
    "correlation" TEXT NOT NULL DEFAULT '',
    "list_id" INTEGER NOT NULL,
    "audio" TEXT NOT NULL DEFAULT '',
    "definition" JSON NOT NULL,
    "name" TEXT NOT NULL,
    "detail" TEXT NOT NULL DEFAULT '',
    "group_id" INTEGER,
    "active" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "phase" TEXT NOT NULL DEFAULT '',
    "reason" TEXT NOT NULL DEFAULT '',
    "model" BOOLEAN NOT NULL DEFAULT false,
    "date_start" TEXT NOT NULL,
    "date_end" TEXT NOT NULL,
    "time_start" TEXT NOT NULL,
    "time_end" TEXT NOT NULL,
    "calls_per_minute" INTEGER,
    "max_transfers" INTEGER,
    "destinations" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "made" INTEGER NOT NULL DEFAULT 0,
    "answered" INTEGER NOT NULL DEFAULT 0,
    "transferred" INTEGER NOT NULL DEFAULT 0,
    "ended" INTEGER NOT NULL DEFAULT 0,
    "finished_at" BIGINT,

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "destinations" (
    "account_id" INTEGER NOT NULL,
    "campaign_id" INTEGER NOT NULL,
    "region" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    "numbers" TEXT NOT NULL,

    CONSTRAINT "destinations_pkey" PRIMARY KEY ("account_id","campaign_id","region","seq")
);

-- CreateTable
CREATE TABLE "skips" (
    "account_id" INTEGER NOT NULL,
    "campaign_id" INTEGER NOT NULL,
    "row" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "skips_pkey" PRIMARY KEY ("account_id","campaign_id","row")
);

-- CreateTable
CREATE TABLE "delivery_profiles" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "secret" TEXT NOT NULL DEFAULT '',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "delivery_profiles_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "account_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "purpose" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "target" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT NOT NULL DEFAULT '',
    "next_at" BIGINT,
    "delivered_at" BIGINT,
    "finished" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "voices_account_id_idx" ON "voices"("account_id");

-- CreateIndex
CREATE INDEX "lists_account_id_correlation_idx" ON "lists"("account_id", "correlation");

-- CreateIndex
CREATE INDEX "campaigns_account_id_correlation_id_idx" ON "campaigns"("account_id", "correlation", "id");
