-- Operators who see the telephone numbers of people masked.
ALTER TABLE "operators" ADD COLUMN "masked_numbers" BOOLEAN NOT NULL DEFAULT false;
