-- Which start of the server heard a node last: one that ended before a later start saw it may know what its files lack.
ALTER TABLE "nodes" ADD COLUMN "server_since" BIGINT;
