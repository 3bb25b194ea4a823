-- Erasing a number finds what was written under it, in groups and in direct chats.
CREATE INDEX "inbound_messages_phone_idx" ON "inbound_messages" ("phone") WHERE "phone" IS NOT NULL;
DROP INDEX "inbound_messages_group_phone_idx";
-- A chat that is named by a number.
CREATE INDEX "conversations_chat_id_idx" ON "conversations" ("chat_id") WHERE "type" = 'direct';
-- The oldest conversations are forgotten first.
CREATE INDEX "conversations_last_message_at_id_idx" ON "conversations" ("last_message_at", "id") WHERE "alias_of" IS NULL;
-- An account may keep texts for a shorter time.
CREATE INDEX "inbound_messages_account_id_sealed_idx" ON "inbound_messages" ("account_id", "received_at") WHERE "sealed" IS NOT NULL;
