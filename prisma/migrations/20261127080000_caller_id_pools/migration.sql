-- Pools of caller ids of accounts and campaigns, and how often each was shown in the last hour.
CREATE TABLE "caller_id_pools" (
    "account_id" INTEGER NOT NULL,
    "id" INTEGER NOT NULL,
    "campaign_id" INTEGER,
    "order" TEXT NOT NULL DEFAULT 'turns',
    "caller_ids" JSONB NOT NULL,
    "same_for_person" BOOLEAN NOT NULL DEFAULT false,
    "calls_per_hour" INTEGER,
    "rest_below" INTEGER,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "caller_id_pools_pkey" PRIMARY KEY ("account_id", "id")
);

CREATE TABLE "caller_id_uses" (
    "account_id" INTEGER NOT NULL,
    "caller_id" TEXT NOT NULL,
    "minute" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,

    CONSTRAINT "caller_id_uses_pkey" PRIMARY KEY ("account_id", "caller_id", "minute"),
    CONSTRAINT "caller_id_uses_bounded" CHECK (octet_length("caller_id") <= 64)
);
