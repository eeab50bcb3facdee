-- Codes of the links that open the console: each opens one session, once and within ten minutes.
CREATE TABLE "sign_in_codes" (
    "hash" TEXT NOT NULL,
    "operator_id" INTEGER,
    "created_at" BIGINT NOT NULL,
    "expires_at" BIGINT NOT NULL,
    "used_at" BIGINT,

    CONSTRAINT "sign_in_codes_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "sign_in_codes_hash_bounded" CHECK (octet_length("hash") <= 1024)
);

CREATE INDEX "sign_in_codes_expires_at_idx" ON "sign_in_codes"("expires_at");
