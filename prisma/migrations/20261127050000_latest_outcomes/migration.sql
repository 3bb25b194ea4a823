-- Progress is counted from it, and the guards find the latest outcomes of a device. While the index is made, reads go on and
-- writes of messages wait. Not CONCURRENTLY: it would wait for the other processes that wait for their turn to migrate.
DROP INDEX "messages_broadcast_idx";
CREATE INDEX "messages_broadcast_idx" ON "messages" ("broadcast_id", "status", "device_id", "seq") WHERE "broadcast_id" IS NOT NULL;
