-- At most one message of a device is `sending`. While the index is made, reads go on and writes of messages wait. Not
-- CONCURRENTLY: it would wait for the other processes that wait for their turn to migrate.
CREATE UNIQUE INDEX "messages_one_sending_idx" ON "messages" ("device_id") WHERE "stage" = 1;
