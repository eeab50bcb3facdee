-- outside a transaction
CREATE INDEX CONCURRENTLY "conversations_account_id_heard_at_idx" ON "conversations"("account_id", "heard_at");
