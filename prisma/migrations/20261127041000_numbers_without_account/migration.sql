-- Numbers that have no account on the network, as far as a message found that out. While the index is made, reads go on and
-- writes wait. Not CONCURRENTLY: it would wait for the other processes that wait for their turn to migrate.
CREATE INDEX "messages_not_on_network_idx" ON "messages" ("account_id", "recipient", "created_at") WHERE "reason" = 'recipient_not_on_network';
