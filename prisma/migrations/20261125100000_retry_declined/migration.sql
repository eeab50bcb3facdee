-- Whether calls that were declined (603) are tried again.
ALTER TABLE "accounts" ADD COLUMN "retry_declined" BOOLEAN NOT NULL DEFAULT true;
