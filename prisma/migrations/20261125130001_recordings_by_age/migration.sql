-- outside a transaction
CREATE INDEX CONCURRENTLY "calls_recording_idx" ON "calls" ("id") WHERE "recording" <> '';
