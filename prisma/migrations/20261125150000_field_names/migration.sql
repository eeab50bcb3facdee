-- Tables, states and events under the names that the field has for them. What was written before reads as what is.
ALTER TABLE "purses" RENAME TO "balances";
ALTER TABLE "balances" RENAME CONSTRAINT "purses_pkey" TO "balances_pkey";
ALTER TABLE "skips" RENAME TO "skipped_destinations";
ALTER TABLE "skipped_destinations" RENAME CONSTRAINT "skips_pkey" TO "skipped_destinations_pkey";

UPDATE "machines" SET "state" = 'pending', "snapshot" = ('{"pending":' || ("snapshot"->'unborn')::text || '}')::json
  WHERE "state" = 'unborn' AND "snapshot"->'unborn' IS NOT NULL;
UPDATE "history" SET "state" = 'pending' WHERE "state" = 'unborn';
UPDATE "history" SET "event" = CASE "event" WHEN 'born' THEN 'started' WHEN 'rested' THEN 'archived' ELSE 'takenOver' END
  WHERE "event" IN ('born', 'rested', 'takenUp');

-- A message keeps its routes, and which of them is tried.
UPDATE "machines" SET "snapshot" = jsonb_set("snapshot"::jsonb, '{c}', ("snapshot"::jsonb->'c') - 'way' || jsonb_build_object(
    'routeIndex', "snapshot"::jsonb->'c'->'way',
    'message', ("snapshot"::jsonb->'c'->'message') - 'ways' || jsonb_build_object('routes', "snapshot"::jsonb->'c'->'message'->'ways')))::json
  WHERE "kind" = 'message' AND "snapshot"->'c'->'message'->'ways' IS NOT NULL;
UPDATE "history" SET "payload" = jsonb_set("payload"::jsonb, '{snapshot,c}', ("payload"::jsonb#>'{snapshot,c}') - 'way' || jsonb_build_object(
    'routeIndex', "payload"::jsonb#>'{snapshot,c,way}',
    'message', ("payload"::jsonb#>'{snapshot,c,message}') - 'ways' || jsonb_build_object('routes', "payload"::jsonb#>'{snapshot,c,message,ways}')))::json
  WHERE "event" = 'archived' AND "payload"#>'{snapshot,c,message,ways}' IS NOT NULL;
UPDATE "history" SET "payload" = (("payload"::jsonb - 'ways') || jsonb_build_object('routes', "payload"::jsonb->'ways'))::json
  WHERE "event" = 'started' AND "payload"->'ways' IS NOT NULL;

-- How many writes its writer had sent when it sent this one.
ALTER TABLE "writers" RENAME COLUMN "deed" TO "sent";
