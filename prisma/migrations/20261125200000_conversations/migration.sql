-- What people write to devices. A conversation belongs to one device and to one person or group.

CREATE TABLE "conversations" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,
    "chat_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "user_id" TEXT,
    "phone" TEXT,
    "name" TEXT,
    "recipient" TEXT GENERATED ALWAYS AS (coalesce("phone", "user_id", "chat_id")) STORED NOT NULL,
    "alias_of" TEXT,
    "unread" INTEGER NOT NULL DEFAULT 0,
    "event_count" INTEGER NOT NULL DEFAULT 0,
    "last_message_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "conversations_type_check" CHECK ("type" IN ('direct', 'group'))
);
CREATE UNIQUE INDEX "conversations_device_id_chat_id_key" ON "conversations" ("device_id", "chat_id");
-- A message to this recipient belongs to this conversation.
CREATE UNIQUE INDEX "conversations_recipient_key" ON "conversations" ("device_id", "recipient") WHERE "alias_of" IS NULL;
CREATE INDEX "conversations_account_id_last_message_at_id_idx" ON "conversations" ("account_id", "last_message_at", "id");
CREATE INDEX "conversations_alias_of_idx" ON "conversations" ("alias_of") WHERE "alias_of" IS NOT NULL;
CREATE INDEX "conversations_phone_idx" ON "conversations" ("phone") WHERE "phone" IS NOT NULL;

CREATE TABLE "inbound_messages" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "type" TEXT,
    "network_message_id" TEXT NOT NULL,
    "participant" TEXT NOT NULL,
    "user_id" TEXT,
    "phone" TEXT,
    "about_network_id" TEXT,
    "about_inbound_id" TEXT,
    "about_job_id" TEXT,
    "forwarded" BOOLEAN NOT NULL DEFAULT false,
    "offline" BOOLEAN NOT NULL DEFAULT false,
    "key_number" INTEGER,
    "sealed" BYTEA,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "inbound_messages_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "inbound_messages_kind_check"
      CHECK ("kind" IN ('received', 'edited', 'deleted', 'reaction', 'undecryptable', 'sent_elsewhere', 'identified'))
);
CREATE UNIQUE INDEX "inbound_messages_once_key" ON "inbound_messages" ("conversation_id", "network_message_id", "participant");
CREATE INDEX "inbound_messages_conversation_id_id_idx" ON "inbound_messages" ("conversation_id", "id");
CREATE INDEX "inbound_messages_account_id_id_idx" ON "inbound_messages" ("account_id", "id");
-- Erasing a number or a person finds what they wrote in groups.
CREATE INDEX "inbound_messages_group_phone_idx" ON "inbound_messages" ("phone") WHERE "participant" <> '' AND "phone" IS NOT NULL;
CREATE INDEX "inbound_messages_group_user_idx" ON "inbound_messages" ("user_id") WHERE "participant" <> '' AND "user_id" IS NOT NULL;
-- The sweep that erases texts looks at those only.
CREATE INDEX "inbound_messages_sealed_idx" ON "inbound_messages" ("received_at") WHERE "sealed" IS NOT NULL;

-- Our messages in a conversation.
CREATE TABLE "conversation_messages" (
    "conversation_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,

    CONSTRAINT "conversation_messages_pkey" PRIMARY KEY ("conversation_id", "message_id")
);
CREATE INDEX "conversation_messages_message_id_idx" ON "conversation_messages" ("message_id");

ALTER TABLE "devices" ADD COLUMN "groups" TEXT NOT NULL DEFAULT 'none';
