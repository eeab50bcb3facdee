-- What upstream still has of a template that was edited here: the next submission edits it, or an operator deletes it.
ALTER TABLE "templates" ADD COLUMN "former_upstream_id" TEXT NOT NULL DEFAULT '';
