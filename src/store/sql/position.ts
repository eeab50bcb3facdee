/** Where what is written now stands, as a number: of two that wait for each other's rows, the later reads the higher one. */
export const WAL_POSITION_SQL = `(pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint`;
