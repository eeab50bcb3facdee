-- outside a transaction
CREATE INDEX CONCURRENTLY "ledger_calls_idx" ON "ledger" ("machine_id") WHERE "entry" IN ('callCharge', 'callRefund');
