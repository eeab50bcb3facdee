-- Rows are found by their primary key, also while the server knows little about a table. Two things could mislead it:
--
-- Until it first looks at a table it supposes 200 accounts and a few rows. Any index that begins with `account_id` then
-- seems to lead to one row, and the one it takes may read all that an account has, for every row that is sought. We know
-- better: most rows belong to few accounts. Where statistics were taken already, they stay.
DO $$
DECLARE
    "unseen" TEXT;
BEGIN
    FOR "unseen" IN
        SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
        AND NOT EXISTS (SELECT FROM pg_stats s WHERE s.schemaname = current_schema() AND s.tablename = c.relname)
    LOOP
        -- PostgreSQL 18 can be told; an older one finds out.
        EXIT WHEN to_regproc('pg_restore_attribute_stats') IS NULL;
        PERFORM pg_restore_attribute_stats(
            'schemaname', current_schema()::text, 'relname', "unseen", 'attname', 'account_id', 'inherited', false,
            'null_frac', 0::real, 'avg_width', 4, 'n_distinct', 1::real);
    END LOOP;
END $$;

-- When it looks at a table of a few rows, all indexes cost the same, and it takes the youngest: that is to be the primary
-- key, of every table that has another index which begins with `account_id`. Where rows are many already, they differ.
DO $$
DECLARE
    "twin" RECORD;
    "filled" BOOLEAN;
BEGIN
    FOR "twin" IN
        SELECT DISTINCT c.relname AS "table", k.conname AS "key", pg_get_constraintdef(k.oid) AS "definition"
        FROM pg_class c
        JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
        JOIN pg_index i ON i.indrelid = c.oid AND NOT i.indisprimary AND i.indpred IS NULL
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] AND a.attname = 'account_id'
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', "twin"."table") INTO "filled";
        CONTINUE WHEN "filled";
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I, ADD CONSTRAINT %I %s',
            "twin"."table", "twin"."key", "twin"."key", "twin"."definition");
    END LOOP;
END $$;
