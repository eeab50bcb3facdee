-- Looks at the rows that were there before their texts were bounded; others read and write meanwhile. A table with a longer
-- text keeps it: its constraint holds for what is written from now on, and stays unvalidated until such rows are gone.
DO $$
DECLARE
    "bounded" RECORD;
BEGIN
    FOR "bounded" IN
        SELECT c.relname AS "table", k.conname AS "name"
        FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND k.contype = 'c' AND NOT k.convalidated
        AND k.conname LIKE '%\_bounded'
        ORDER BY 1, 2
    LOOP
        BEGIN
            EXECUTE format('ALTER TABLE %I VALIDATE CONSTRAINT %I', "bounded"."table", "bounded"."name");
        EXCEPTION WHEN check_violation THEN
            RAISE NOTICE '% holds longer texts than %', "bounded"."table", "bounded"."name";
        END;
    END LOOP;
END $$;
