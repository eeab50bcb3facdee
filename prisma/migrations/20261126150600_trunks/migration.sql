-- Trunks, the servers that they are on, what they cost, and which numbers go by which: for all accounts of an installation.
CREATE TABLE "trunk_servers" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "secret" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT 'on',
    "from_settings" BOOLEAN NOT NULL DEFAULT false,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "trunk_servers_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "trunk_servers_name_bounded" CHECK (octet_length("name") <= 64)
);

CREATE TABLE "trunks" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "server_id" INTEGER NOT NULL,
    "dial_pattern" TEXT NOT NULL DEFAULT '',
    "number_format" TEXT NOT NULL DEFAULT 'e164',
    "caller_ids" JSONB NOT NULL DEFAULT '[]',
    "calls_per_second" INTEGER NOT NULL,
    "legs" INTEGER NOT NULL,
    "failover" JSONB NOT NULL DEFAULT '[500, 502, 503, 504]',
    "simulates" TEXT NOT NULL DEFAULT 'first',
    "closed_prefixes" JSONB NOT NULL DEFAULT '{}',
    "hours" JSONB,
    "state" TEXT NOT NULL DEFAULT 'on',
    "from_settings" BOOLEAN NOT NULL DEFAULT false,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "trunks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "trunks_name_bounded" CHECK (octet_length("name") <= 64)
);

CREATE TABLE "trunk_prices" (
    "id" INTEGER NOT NULL,
    "trunk_id" INTEGER NOT NULL,
    "prefix" TEXT NOT NULL DEFAULT '',
    "per_minute" DECIMAL(14,4) NOT NULL,
    "first_seconds" INTEGER NOT NULL DEFAULT 1,
    "step_seconds" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "trunk_prices_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "trunk_prices_prefix_bounded" CHECK (octet_length("prefix") <= 64)
);

CREATE TABLE "trunk_routes" (
    "id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "prefix" TEXT NOT NULL DEFAULT '',
    "line" TEXT NOT NULL DEFAULT 'any',
    "region" TEXT NOT NULL DEFAULT '',
    "account_id" INTEGER,
    "campaign_id" INTEGER,
    "order" TEXT NOT NULL DEFAULT 'fixed',
    "trunks" JSONB NOT NULL DEFAULT '[]',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" BIGINT NOT NULL,

    CONSTRAINT "trunk_routes_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "trunk_servers_name_key" ON "trunk_servers"("name");

CREATE UNIQUE INDEX "trunks_name_key" ON "trunks"("name");

CREATE INDEX "trunks_server_id_idx" ON "trunks"("server_id");

CREATE UNIQUE INDEX "trunk_prices_trunk_id_prefix_key" ON "trunk_prices"("trunk_id", "prefix");
