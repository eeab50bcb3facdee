-- In which doubt about the shard a node confirmed that the database has every write that it was told of.
ALTER TABLE "nodes" RENAME COLUMN "vouched" TO "confirmed";

-- Why a shard is closed whose machine was restored as a whole: the engine knows it by these words.
UPDATE "shard_state" SET reason = replace(reason, 'put back with its machine', 'restored with its machine')
WHERE reason LIKE 'put back with its machine%';
