-- The chat with a person shows each message to the person. Messages that have not ended are found by
-- "messages_open_recipient_idx", so this index makes no acceptance slower. While it is made, reads go on and writes wait.
CREATE INDEX "messages_ended_recipient_idx" ON "messages" ("recipient", "device_id", "id") WHERE "stage" = 2;
-- A number may move to another person. What was sent to it before stays with the first one.
ALTER TABLE "conversations" ADD COLUMN "took_number" BOOLEAN NOT NULL DEFAULT false;
