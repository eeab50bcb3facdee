-- What each process may put on a trunk: together no more than the trunk bears. Rows of processes that end are deleted.
CREATE TABLE "trunk_shares" (
    "trunk_id" INTEGER NOT NULL,
    "process" TEXT NOT NULL,
    "calls_per_second" INTEGER NOT NULL,
    "legs" INTEGER NOT NULL,
    "held" INTEGER NOT NULL,
    "waits" BOOLEAN NOT NULL,
    "beat" BIGINT NOT NULL,

    CONSTRAINT "trunk_shares_pkey" PRIMARY KEY ("trunk_id", "process"),
    CONSTRAINT "trunk_shares_process_bounded" CHECK (octet_length("process") <= 200)
);
