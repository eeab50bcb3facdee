-- Which nodes ended without leaving: others declared them dead.
ALTER TABLE "nodes" ADD COLUMN "lost" BOOLEAN NOT NULL DEFAULT false;
