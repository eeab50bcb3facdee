-- When each column of a row that was written outside of machines' commits was written last: what a journal holds of the
-- row is written again where it is later than that.
CREATE TABLE "row_marks" (
    "table_name" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "marks" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "row_marks_pkey" PRIMARY KEY ("table_name", "key"),
    CONSTRAINT "row_marks_table_name_bounded" CHECK (octet_length("table_name") <= 1024),
    CONSTRAINT "row_marks_key_bounded" CHECK (octet_length("key") <= 1024)
);

-- How many such writes of each process the database has.
CREATE TABLE "row_writers" (
    "writer" BIGINT NOT NULL,
    "number" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "row_writers_pkey" PRIMARY KEY ("writer")
);
