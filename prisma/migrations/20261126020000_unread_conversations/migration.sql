-- The list of unread conversations. While the index is made, reads go on and writes wait. Not CONCURRENTLY: it would wait
-- for the other processes that wait for their turn to migrate.
CREATE INDEX "conversations_unread_idx" ON "conversations" ("account_id", "last_message_at", "id") WHERE "unread" > 0 AND "alias_of" IS NULL;
