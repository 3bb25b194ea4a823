-- A message to many. Its recipients and their values are frozen when it is planned; its messages are released in small
-- windows.
CREATE TABLE "broadcasts" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "category" SMALLINT NOT NULL,
    "state" TEXT NOT NULL,
    "paused_by" TEXT,
    "key_number" INTEGER,
    "sealed" BYTEA,
    "device_ids" TEXT[] NOT NULL,
    "pace_per_minute" INTEGER,
    "paced_until" TIMESTAMPTZ(3),
    "send_at" TIMESTAMPTZ(3),
    "recipients" INTEGER NOT NULL DEFAULT 0,
    "round" SMALLINT NOT NULL DEFAULT 1,
    "round_at" TIMESTAMPTZ(3),
    "period_id" UUID,
    "reserved" INTEGER NOT NULL DEFAULT 0,
    "event_count" INTEGER NOT NULL DEFAULT 0,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "broadcasts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "broadcasts_state_check" CHECK ("state" IN
      ('draft', 'checking', 'ready', 'scheduled', 'running', 'paused', 'finished', 'cancelled')),
    CONSTRAINT "broadcasts_paused_check" CHECK (("state" = 'paused') = ("paused_by" IS NOT NULL)
      AND ("paused_by" IS NULL OR "paused_by" IN ('user', 'guard', 'window', 'no_device', 'quota'))),
    CONSTRAINT "broadcasts_reserved_check" CHECK ("reserved" >= 0 AND ("reserved" = 0 OR "period_id" IS NOT NULL)),
    CONSTRAINT "broadcasts_ended_check" CHECK (("ended_at" IS NULL OR "state" IN ('finished', 'cancelled')) AND ("state" <> 'finished' OR "ended_at" IS NOT NULL))
);
CREATE INDEX "broadcasts_account_id_id_idx" ON "broadcasts" ("account_id", "id");
-- Those that the workers drive.
CREATE INDEX "broadcasts_driven_idx" ON "broadcasts" ("id") WHERE "ended_at" IS NULL;

CREATE TABLE "broadcast_recipients" (
    "broadcast_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "recipient" TEXT NOT NULL,
    "key_number" INTEGER,
    "sealed" BYTEA,
    "device_id" TEXT,
    "state" SMALLINT NOT NULL DEFAULT 0,
    "skip_reason" TEXT,
    "round" SMALLINT NOT NULL DEFAULT 1,
    "message_id" TEXT,

    CONSTRAINT "broadcast_recipients_pkey" PRIMARY KEY ("broadcast_id", "position"),
    CONSTRAINT "broadcast_recipients_state_check" CHECK ("state" IN (0, 1, 2)
      AND ("state" = 1) = ("skip_reason" IS NOT NULL) AND ("state" <> 2 OR "message_id" IS NOT NULL))
);
-- Nobody is in a broadcast twice, but for rows that were skipped.
CREATE UNIQUE INDEX "broadcast_recipients_once_key" ON "broadcast_recipients" ("broadcast_id", "recipient") WHERE "state" <> 1;
-- The next to be released: those whom a device knows, and those whom none does.
CREATE INDEX "broadcast_recipients_pending_idx" ON "broadcast_recipients" ("broadcast_id", "device_id", "position") WHERE "state" = 0;
CREATE INDEX "broadcast_recipients_skipped_idx" ON "broadcast_recipients" ("broadcast_id", "skip_reason") WHERE "state" = 1;
-- An erasure finds the person.
CREATE INDEX "broadcast_recipients_recipient_idx" ON "broadcast_recipients" ("recipient");

ALTER TABLE "messages" ADD COLUMN "broadcast_id" TEXT;
-- Progress is counted from it.
CREATE INDEX "messages_broadcast_idx" ON "messages" ("broadcast_id", "status", "device_id") WHERE "broadcast_id" IS NOT NULL;

-- Quota that running broadcasts have set aside.
ALTER TABLE "subscription_periods" ADD COLUMN "reserved_quota" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_reserved_check"
  CHECK ("reserved_quota" >= 0 AND ("initial_quota" IS NULL OR "taken_quota" + "reserved_quota" <= "initial_quota"));
