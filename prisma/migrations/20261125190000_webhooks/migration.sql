-- Webhooks: the addresses to which the events of an account are sent.

CREATE TABLE "webhooks" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "url" TEXT NOT NULL,
  "description" TEXT NOT NULL DEFAULT '',
  "types" TEXT[] NOT NULL DEFAULT '{}',
  "device_ids" TEXT[] NOT NULL DEFAULT '{}',
  "mode" TEXT NOT NULL DEFAULT 'parallel',
  "max_per_second" INTEGER,
  "enabled" BOOLEAN NOT NULL DEFAULT true,
  "disabled_reason" TEXT,
  "version" INTEGER NOT NULL DEFAULT 1,
  "event_count" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhooks_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
  CONSTRAINT "webhooks_mode_check" CHECK ("mode" IN ('parallel', 'ordered')),
  CONSTRAINT "webhooks_reason_check" CHECK ("disabled_reason" IS NULL OR NOT "enabled")
);
CREATE INDEX "webhooks_account_id_idx" ON "webhooks"("account_id");

CREATE TABLE "webhook_secrets" (
  "webhook_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "sealed" BYTEA NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3),
  CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("webhook_id", "version"),
  CONSTRAINT "webhook_secrets_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE
);

-- The row changes about once a second while events are sent, so it stands apart and its pages have room.
CREATE TABLE "webhook_readers" (
  "webhook_id" TEXT NOT NULL,
  "generation" BIGINT NOT NULL,
  "xid" xid8 NOT NULL,
  "seq" BIGINT NOT NULL,
  "owner" TEXT,
  "epoch" BIGINT NOT NULL DEFAULT 0,
  "expires_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_success_at" TIMESTAMPTZ(3),
  "last_failure_at" TIMESTAMPTZ(3),
  "failing_since" TIMESTAMPTZ(3),
  "probes" SMALLINT NOT NULL DEFAULT 0,
  "probe_at" TIMESTAMPTZ(3),
  "told_hours" SMALLINT NOT NULL DEFAULT 0,
  CONSTRAINT "webhook_readers_pkey" PRIMARY KEY ("webhook_id"),
  CONSTRAINT "webhook_readers_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE
) WITH (fillfactor = 50);

CREATE TABLE "webhook_retries" (
  "webhook_id" TEXT NOT NULL,
  "generation" BIGINT NOT NULL,
  "xid" xid8 NOT NULL,
  "seq" BIGINT NOT NULL,
  "event_at" TIMESTAMPTZ(3) NOT NULL,
  "subject_id" TEXT NOT NULL,
  "sequence" INTEGER NOT NULL,
  "tries" SMALLINT NOT NULL DEFAULT 0,
  "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "failed_at" TIMESTAMPTZ(3),
  CONSTRAINT "webhook_retries_pkey" PRIMARY KEY ("webhook_id", "generation", "xid", "seq"),
  CONSTRAINT "webhook_retries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE
);
CREATE INDEX "webhook_retries_due_idx" ON "webhook_retries"("webhook_id", "due_at") WHERE "failed_at" IS NULL;
CREATE INDEX "webhook_retries_subject_idx" ON "webhook_retries"("webhook_id", "subject_id", "sequence") WHERE "failed_at" IS NULL;

CREATE TABLE "webhook_attempts" (
  "id" BIGSERIAL NOT NULL,
  "webhook_id" TEXT NOT NULL,
  "generation" BIGINT NOT NULL,
  "xid" xid8 NOT NULL,
  "seq" BIGINT NOT NULL,
  "event_at" TIMESTAMPTZ(3) NOT NULL,
  "event_id" TEXT NOT NULL,
  "type" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "tries" SMALLINT NOT NULL,
  "outcome" TEXT NOT NULL,
  "status" SMALLINT,
  "error" TEXT,
  "duration_ms" INTEGER NOT NULL,
  "response" TEXT,
  "next_try_at" TIMESTAMPTZ(3),
  CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_attempts_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE
);
CREATE INDEX "webhook_attempts_webhook_id_id_idx" ON "webhook_attempts"("webhook_id", "id");
CREATE INDEX "webhook_attempts_at_idx" ON "webhook_attempts" USING BRIN ("at");

CREATE TABLE "webhook_replays" (
  "id" TEXT NOT NULL,
  "webhook_id" TEXT NOT NULL,
  "types" TEXT[] NOT NULL DEFAULT '{}',
  "since" TIMESTAMPTZ(3) NOT NULL,
  "until" TIMESTAMPTZ(3) NOT NULL,
  "generation" BIGINT NOT NULL,
  "xid" xid8 NOT NULL,
  "seq" BIGINT NOT NULL,
  "events" INTEGER NOT NULL,
  "read_events" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "webhook_replays_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_replays_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE
);
CREATE INDEX "webhook_replays_running_idx" ON "webhook_replays"("webhook_id") WHERE "ended_at" IS NULL;

-- An event of a webhook. Without `counted`, only notices read it.
CREATE FUNCTION append_event_of_webhook(webhook text, kind text, state text, counted boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH counted_up AS (
    UPDATE webhooks SET event_count = event_count + CASE WHEN counted THEN 1 ELSE 0 END WHERE id = webhook
    RETURNING account_id, event_count)
  INSERT INTO events (account_id, generation, subject_id, sequence, kind, state)
  SELECT account_id, event_generation(), webhook, CASE WHEN counted THEN event_count END, kind, state FROM counted_up;
END $$;
