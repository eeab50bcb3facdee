-- Addresses that failed to show a good token too often, so that a restart does not let them in again.
CREATE TABLE "lockouts" (
    "address" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "failed_at" BIGINT NOT NULL,
    "blocked_until" BIGINT NOT NULL,

    CONSTRAINT "lockouts_pkey" PRIMARY KEY ("address"),
    CONSTRAINT "lockouts_address_short" CHECK (length("address") <= 64)
);
