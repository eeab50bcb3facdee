-- What trunks and accounts may cost in a day, what they cost so far, and numbers that an account does not call.
ALTER TABLE "accounts" ADD COLUMN "closed_prefixes" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN "spend_per_day" DECIMAL(14,4);

ALTER TABLE "trunks" ADD COLUMN "spend_per_day" DECIMAL(14,4);

CREATE TABLE "spending" (
    "owner" TEXT NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "day" TEXT NOT NULL,
    "units" BIGINT NOT NULL,

    CONSTRAINT "spending_pkey" PRIMARY KEY ("owner", "owner_id", "day"),
    CONSTRAINT "spending_owner_bounded" CHECK (octet_length("owner") <= 16),
    CONSTRAINT "spending_day_bounded" CHECK (octet_length("day") <= 16)
);
