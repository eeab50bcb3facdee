-- Accounts whose calls are paid out of the balance, and what is reserved for calls under way.
ALTER TABLE "accounts" ADD COLUMN "charge_calls" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "call_charges" (
    "account_id" INTEGER NOT NULL,
    "call_id" BIGINT NOT NULL,
    "rate" BIGINT NOT NULL,
    "payers" INTEGER[] NOT NULL,
    "covered" INTEGER NOT NULL,
    "settle_id" BIGINT,
    "opened_at" BIGINT NOT NULL,

    CONSTRAINT "call_charges_pkey" PRIMARY KEY ("account_id", "call_id")
);
