-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "callback_events" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "callback_login" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "callback_method" TEXT NOT NULL DEFAULT 'POST',
ADD COLUMN     "callback_type" TEXT NOT NULL DEFAULT 'json',
ADD COLUMN     "webhook_secret_before" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "webhook_secret_before_until" BIGINT;

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "about_id" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "result" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "waiting" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "operators" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "created_at" BIGINT NOT NULL,
    "last_used_at" BIGINT,
    "revoked_at" BIGINT,

    CONSTRAINT "operators_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "admin_sessions" (
    "hash" TEXT NOT NULL,
    "operator_id" INTEGER,
    "role" TEXT NOT NULL,
    "address" TEXT NOT NULL DEFAULT '',
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,
    "ended_at" BIGINT,

    CONSTRAINT "admin_sessions_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" BIGINT NOT NULL,
    "at" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "address" TEXT NOT NULL DEFAULT '',
    "action" TEXT NOT NULL,
    "account_id" INTEGER,
    "outcome" INTEGER NOT NULL DEFAULT 0,
    "count" INTEGER NOT NULL DEFAULT 1,
    "detail" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "operators_key_hash_key" ON "operators"("key_hash");

-- CreateIndex
CREATE INDEX "admin_sessions_expires_at_idx" ON "admin_sessions"("expires_at");

-- CreateIndex
CREATE INDEX "audit_log_at_idx" ON "audit_log"("at");

-- CreateIndex
CREATE INDEX "audit_log_account_id_at_idx" ON "audit_log"("account_id", "at");

-- CreateIndex
CREATE INDEX "audit_log_kind_at_idx" ON "audit_log"("kind", "at");

-- CreateIndex
CREATE INDEX "deliveries_account_id_about_id_idx" ON "deliveries"("account_id", "about_id");
