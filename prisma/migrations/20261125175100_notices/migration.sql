-- Notices: mails to the owners of an account about events of the log. The api reads the log up to the cursor and makes a row for
-- each owner; a row is deleted when the mail server has the mail. Ids only: names, addresses and numbers are read when a mail goes out.

-- CreateTable
CREATE TABLE "notice_cursor" (
    "single" BOOLEAN NOT NULL DEFAULT true CHECK ("single"),
    "generation" BIGINT NOT NULL,
    "xid" XID8 NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "notice_cursor_pkey" PRIMARY KEY ("single")
);
INSERT INTO "notice_cursor" ("generation", "xid", "seq") VALUES (0, '0', 0);

-- CreateTable
CREATE TABLE "notices" (
    "id" BIGSERIAL NOT NULL,
    "account_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notices_due_at_idx" ON "notices" ("due_at");

-- The events that make notices, of all accounts, in the order of the log. There are few of them.
CREATE INDEX "events_notices_idx" ON "events" ("generation", "xid", "seq") WHERE "kind" = 'device.linked';
