-- What the upstream of Msgapp says by itself, in its own words: what it counts a message as (JSON; empty: it has not said),
-- the category and the quality of a template, the quality of a number and how much may be sent by it.
ALTER TABLE "messages" ADD COLUMN "pricing" TEXT NOT NULL DEFAULT '';
ALTER TABLE "templates" ADD COLUMN "upstream_category" TEXT NOT NULL DEFAULT '';
ALTER TABLE "templates" ADD COLUMN "quality" TEXT NOT NULL DEFAULT '';
ALTER TABLE "chat_lines" ADD COLUMN "quality" TEXT NOT NULL DEFAULT '';
ALTER TABLE "chat_lines" ADD COLUMN "quality_at" BIGINT;
ALTER TABLE "chat_lines" ADD COLUMN "messaging_limit" TEXT NOT NULL DEFAULT '';
ALTER TABLE "chat_lines" ADD COLUMN "messaging_limit_at" BIGINT;
