-- Marketing goes out in the hours of the recipient. A message may begin from `window_opens_at` on, and before
-- `window_closes_at`. Null: at any time.
ALTER TABLE "messages" ADD COLUMN "window_opens_at" TIMESTAMPTZ(3), ADD COLUMN "window_closes_at" TIMESTAMPTZ(3);
-- Those whose hours are over. While an index is made, reads go on and writes wait. Not CONCURRENTLY: it would wait for the
-- other processes that wait for their turn to migrate.
CREATE INDEX "messages_closing_idx" ON "messages" ("window_closes_at") WHERE "stage" = 0 AND "window_closes_at" IS NOT NULL;
-- The marketing that a person got lately. 2 is marketing.
CREATE INDEX "messages_marketing_idx" ON "messages" ("account_id", "recipient", "created_at") WHERE "category" = 2;

-- The hours are minutes of the local day. Null: any hour.
ALTER TABLE "broadcasts" ADD COLUMN "window_from" SMALLINT, ADD COLUMN "window_to" SMALLINT, ADD COLUMN "window_zone" TEXT,
  ADD COLUMN "max_per_day" SMALLINT,
  ADD COLUMN "guard_failed" SMALLINT, ADD COLUMN "guard_opted_out" SMALLINT,
  ADD COLUMN "guard_since" TIMESTAMPTZ(3), ADD COLUMN "tripped" JSONB,
  ADD COLUMN "zones" TEXT[] NOT NULL DEFAULT '{""}';
ALTER TABLE "broadcasts" ADD CONSTRAINT "broadcasts_window_check" CHECK (
  ("window_from" IS NULL) = ("window_to" IS NULL) AND ("window_from" IS NULL) = ("window_zone" IS NULL)
  AND ("window_from" IS NULL OR ("window_from" >= 0 AND "window_from" < "window_to" AND "window_to" <= 1440 AND "window_zone" IN ('recipient', 'account'))));

-- Where the person may live: `+ID` for the zones of a country, or the name of one zone. Empty: unknown.
ALTER TABLE "broadcast_recipients" ADD COLUMN "zone" TEXT NOT NULL DEFAULT '';
DROP INDEX "broadcast_recipients_pending_idx";
CREATE INDEX "broadcast_recipients_pending_idx" ON "broadcast_recipients" ("broadcast_id", "device_id", "zone", "position") WHERE "state" = 0;
