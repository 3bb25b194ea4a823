-- The column that the partial indexes look at, instead of `status`: an update that changes no indexed column, nor one
-- that an index's condition names, writes no index at all (sent, delivered, read).
ALTER TABLE "messages" ADD COLUMN "stage" SMALLINT NOT NULL
  GENERATED ALWAYS AS (CASE "status" WHEN 'queued' THEN 0 WHEN 'sending' THEN 1 ELSE 2 END) STORED;

-- A queued message that is not due yet stands beside the lane until the sweep wakes it.
ALTER TABLE "messages" ADD COLUMN "waits_until" TIMESTAMPTZ(3);
UPDATE "messages" SET "waits_until" = GREATEST("send_at", "held_until")
  WHERE "status" = 'queued' AND GREATEST("send_at", "held_until") > now();

-- Nobody looks a message up by its number alone; the sequence makes it unique.
DROP INDEX "messages_seq_key";
DROP INDEX "messages_lane_idx";
DROP INDEX "messages_held_idx";
DROP INDEX "messages_sending_idx";
DROP INDEX "messages_expiry_idx";

-- The lane: what may go, in order. As small as the backlog that is due.
CREATE INDEX "messages_lane_idx" ON "messages" ("device_id", "priority", "seq") WHERE "stage" = 0 AND "waits_until" IS NULL;
-- What waits beside it, by recipient: later ones to a held recipient wait too.
CREATE INDEX "messages_waiting_idx" ON "messages" ("device_id", "recipient", "seq") WHERE "stage" = 0 AND "waits_until" IS NOT NULL;
-- And by the time when it wakes.
CREATE INDEX "messages_wakes_idx" ON "messages" ("waits_until", "seq") WHERE "stage" = 0 AND "waits_until" IS NOT NULL;
-- What a crashed owner left behind.
CREATE INDEX "messages_sending_idx" ON "messages" ("device_id", "seq") WHERE "stage" = 1;
CREATE INDEX "messages_expiry_idx" ON "messages" ("expires_at") WHERE "stage" = 0 AND "expires_at" IS NOT NULL;
