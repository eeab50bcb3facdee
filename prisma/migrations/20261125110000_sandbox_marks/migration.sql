-- What only a sandbox took is marked as such: nobody got it.
ALTER TABLE "messages" ADD COLUMN "sandbox" BOOLEAN NOT NULL DEFAULT false;

-- Lines of the built-in upstream. The lines that a demo account began with are those; all others are somebody's own.
ALTER TABLE "chat_lines" ADD COLUMN "sandbox" BOOLEAN NOT NULL DEFAULT false;
UPDATE "chat_lines" SET "sandbox" = true
  WHERE "app_name" = '100000000000001' OR "page_id" = '100000000000003' OR "photo_account_id" = '100000000000004';
