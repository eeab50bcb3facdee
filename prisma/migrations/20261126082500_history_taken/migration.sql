-- The transitions that each event took; entries of before say nothing of them.
ALTER TABLE "history" ADD COLUMN "taken" TEXT NOT NULL DEFAULT '';
