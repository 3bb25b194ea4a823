-- A dashboard or a command that sent a ping asks for the attempt of its event until it appears. While an index is made,
-- reads go on and writes wait: the tables have rows of failures and of few successes. Not CONCURRENTLY: it would wait for
-- the other processes that wait for their turn to migrate.
CREATE INDEX "webhook_attempts_webhook_id_event_id_id_idx" ON "webhook_attempts" ("webhook_id", "event_id", "id");

-- The events that are out of tries, counted and page by page.
CREATE INDEX "webhook_retries_failed_idx" ON "webhook_retries" ("webhook_id", "generation", "xid", "seq") WHERE "failed_at" IS NOT NULL;
