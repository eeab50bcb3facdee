-- In which doubt about the shard a node confirmed that the database has every write that it was told of.
ALTER TABLE "nodes" RENAME COLUMN "vouched" TO "confirmed";
