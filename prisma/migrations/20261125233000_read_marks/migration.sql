-- Which messages of a conversation were read and are still to be told to the network. Nothing that was read before is told.
ALTER TABLE "conversations" ADD COLUMN "read_marks_from" TEXT, ADD COLUMN "read_marks_through" TEXT;
-- The worker looks for them once a second.
CREATE INDEX "conversations_read_marks_idx" ON "conversations" ("device_id", "read_marks_through") WHERE "read_marks_through" IS NOT NULL;
