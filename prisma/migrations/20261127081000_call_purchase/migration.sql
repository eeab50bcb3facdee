-- What the trunks ask for a call, in ten-thousandths of the currency; null: none had a price for its number.
ALTER TABLE "calls" ADD COLUMN "purchase" BIGINT;
