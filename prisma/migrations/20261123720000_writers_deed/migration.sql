-- What moved a writer's number on last, for a writer that had no answer: which of its deeds it was, and where it stands.
ALTER TABLE "writers"
    ADD COLUMN "deed" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "position" BIGINT NOT NULL DEFAULT 0;
