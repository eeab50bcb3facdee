-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "chat_price" DECIMAL(14,4) NOT NULL DEFAULT 0,
ADD COLUMN     "sms_night_cap" INTEGER NOT NULL DEFAULT 300,
ADD COLUMN     "template_price" DECIMAL(14,4) NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "purses" (
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "until" BIGINT,

    CONSTRAINT "purses_pkey" PRIMARY KEY ("account_id","name")
);

-- CreateTable
CREATE TABLE "ledger" (
    "account_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "at" BIGINT NOT NULL,
    "entry" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "payer_id" INTEGER,
    "machine_id" BIGINT,
    "note" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "ledger_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "tariffs" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "prefix" TEXT NOT NULL,
    "price" DECIMAL(14,4) NOT NULL,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "tariffs_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "sms_routes" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "prefix" TEXT NOT NULL DEFAULT '',
    "position" INTEGER NOT NULL DEFAULT 0,
    "kind" TEXT NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "secret" TEXT NOT NULL DEFAULT '',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "sms_routes_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "approved_models" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "approved_models_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "chat_lines" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "class" TEXT NOT NULL,
    "provider" TEXT NOT NULL DEFAULT '',
    "app_name" TEXT NOT NULL DEFAULT '',
    "number" TEXT NOT NULL DEFAULT '',
    "business_id" TEXT NOT NULL DEFAULT '',
    "page_id" TEXT NOT NULL DEFAULT '',
    "photo_account_id" TEXT NOT NULL DEFAULT '',
    "api_key" TEXT NOT NULL DEFAULT '',
    "app_secret" TEXT NOT NULL DEFAULT '',
    "verify_token" TEXT NOT NULL DEFAULT '',
    "forward_url" TEXT NOT NULL DEFAULT '',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "chat_lines_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "templates" (
    "account_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "line_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "category" TEXT NOT NULL DEFAULT '',
    "language" TEXT NOT NULL DEFAULT '',
    "body_text" TEXT NOT NULL DEFAULT '',
    "header_type" TEXT NOT NULL DEFAULT '',
    "header_text" TEXT NOT NULL DEFAULT '',
    "footer_text" TEXT NOT NULL DEFAULT '',
    "variables_examples" TEXT NOT NULL DEFAULT '',
    "button_type" TEXT NOT NULL DEFAULT '',
    "button_config" TEXT NOT NULL DEFAULT '',
    "updated_at" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT '',
    "told_status" TEXT NOT NULL DEFAULT '',
    "upstream_id" TEXT NOT NULL DEFAULT '',
    "rejection_reason" TEXT NOT NULL DEFAULT '',
    "meta_json" TEXT NOT NULL DEFAULT '',
    "meta_json_with_urls" TEXT NOT NULL DEFAULT '',
    "changes" TEXT NOT NULL DEFAULT '[]',
    "checked_at" BIGINT,
    "removed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "template_media" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "file_path" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "template_media_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "messages" (
    "account_id" INTEGER NOT NULL,
    "id" BIGINT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "channel" TEXT NOT NULL,
    "line_id" INTEGER NOT NULL DEFAULT 0,
    "sender" TEXT NOT NULL DEFAULT '',
    "destination" TEXT NOT NULL,
    "content_type" TEXT NOT NULL DEFAULT 'text',
    "body" TEXT NOT NULL DEFAULT '',
    "payload" TEXT NOT NULL DEFAULT '',
    "correlation" TEXT NOT NULL DEFAULT '',
    "related" TEXT NOT NULL DEFAULT '',
    "campaign_id" TEXT NOT NULL DEFAULT '',
    "call_id" TEXT NOT NULL DEFAULT '',
    "segments" INTEGER NOT NULL DEFAULT 1,
    "price" BIGINT NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL,
    "outcome_code" TEXT NOT NULL DEFAULT '',
    "outcome_text" TEXT NOT NULL DEFAULT '',
    "provider_id" TEXT NOT NULL DEFAULT '',
    "raw_answer" TEXT NOT NULL DEFAULT '',
    "route_id" INTEGER NOT NULL DEFAULT 0,
    "refunded" BOOLEAN NOT NULL DEFAULT false,
    "submitted_at" BIGINT,
    "acknowledged_at" BIGINT,
    "delivered_at" BIGINT,
    "read_at" BIGINT,
    "failed_at" BIGINT,
    "finished" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "conversations" (
    "account_id" INTEGER NOT NULL,
    "line_id" INTEGER NOT NULL,
    "contact" TEXT NOT NULL,
    "heard_at" BIGINT NOT NULL,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("account_id","line_id","contact")
);

-- CreateTable
CREATE TABLE "inbound_messages" (
    "account_id" INTEGER NOT NULL,
    "line_id" INTEGER NOT NULL,
    "upstream_id" TEXT NOT NULL,
    "received_at" BIGINT NOT NULL,
    "sent_at" BIGINT NOT NULL,
    "contact" TEXT NOT NULL,
    "contact_name" TEXT NOT NULL DEFAULT '',
    "content_type" TEXT NOT NULL,
    "body" TEXT NOT NULL DEFAULT '',
    "payload" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "inbound_messages_pkey" PRIMARY KEY ("account_id","line_id","upstream_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "tariffs_account_id_prefix_key" ON "tariffs"("account_id", "prefix");

-- CreateIndex
CREATE INDEX "templates_account_id_line_id_idx" ON "templates"("account_id", "line_id");

-- CreateIndex
CREATE INDEX "templates_account_id_upstream_id_idx" ON "templates"("account_id", "upstream_id");

-- CreateIndex
CREATE INDEX "messages_account_id_provider_id_idx" ON "messages"("account_id", "provider_id");

-- CreateIndex
CREATE INDEX "messages_account_id_correlation_id_idx" ON "messages"("account_id", "correlation", "id");

-- CreateIndex
CREATE INDEX "messages_account_id_destination_id_idx" ON "messages"("account_id", "destination", "id");

-- CreateIndex
CREATE INDEX "inbound_messages_account_id_line_id_contact_received_at_idx" ON "inbound_messages"("account_id", "line_id", "contact", "received_at");

-- What Prisma cannot say: the last guard of every balance.
ALTER TABLE "purses" ADD CONSTRAINT "purses_never_negative" CHECK ("amount" >= 0);

-- Accounts of before keep their balance, and are provisioned as new ones are. Ids of the ledger ascend with time and
-- are minted elsewhere; these stand before all of them.
INSERT INTO "purses" ("account_id", "name", "amount")
SELECT "id", 'balance', greatest(0, round("balance" * 10000))::bigint FROM "accounts";
INSERT INTO "ledger" ("account_id", "id", "at", "entry", "amount")
SELECT "id", 1, "created_at", 'opening', greatest(0, round("balance" * 10000))::bigint FROM "accounts" WHERE "balance" > 0;
INSERT INTO "tariffs" ("account_id", "id", "prefix", "price", "created_at")
SELECT "id", row_number() OVER (ORDER BY "id"), '', 0.08, "created_at" FROM "accounts";
INSERT INTO "sms_routes" ("account_id", "id", "name", "kind", "created_at")
SELECT "id", row_number() OVER (ORDER BY "id"), 'sandbox', 'sandbox', "created_at" FROM "accounts";
INSERT INTO "small_ids" ("name", "next") SELECT 'tariff', count(*) + 1 FROM "accounts";
INSERT INTO "small_ids" ("name", "next") SELECT 'smsRoute', count(*) + 1 FROM "accounts";
ALTER TABLE "accounts" DROP COLUMN "balance";
