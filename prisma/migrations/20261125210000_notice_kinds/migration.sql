-- Notices of every kind: mails, and the bell of the dashboard. Apis of the earlier version know only `device.linked`. Their
-- cursor is gone now and their column has another name, so they send no notices until they end. Nothing is lost: this
-- version reads on from where the log stands here.

-- Two readers of the log: one reads events at once, one when they are old enough to be told.
CREATE TABLE "notice_readers" (
    "name" TEXT NOT NULL,
    "generation" BIGINT NOT NULL,
    "xid" XID8 NOT NULL,
    "seq" BIGINT NOT NULL,

    CONSTRAINT "notice_readers_pkey" PRIMARY KEY ("name")
);

-- The earlier version's work, done once more up to the horizon. Events beyond it are still to be read.
LOCK TABLE "notice_cursor", "notices";
WITH here AS MATERIALIZED (SELECT event_generation() AS generation, pg_snapshot_xmin(pg_current_snapshot()) AS horizon),
  readers AS (
    INSERT INTO "notice_readers" ("name", "generation", "xid", "seq")
    SELECT name, generation, (horizon::text::bigint - 1)::text::xid8, 9223372036854775807
    FROM here, unnest(ARRAY['prompt', 'delayed']) AS name)
INSERT INTO "notices" ("account_id", "user_id", "kind", "device_id", "at")
SELECT e."account_id", m."user_id", e."kind", e."device_id", e."at" FROM here, "notice_cursor" c, "events" e
JOIN "members" m ON m."account_id" = e."account_id" AND m."role" = 'owner'
WHERE e."kind" = 'device.linked' AND (e."generation", e."xid", e."seq") > (c."generation", c."xid", c."seq")
  AND (e."generation" < here.generation OR e."xid" < here.horizon) AND e."at" > now() - interval '1 day';
DROP TABLE "notice_cursor";

-- The subject is a device, an endpoint of webhooks, or the account.
ALTER TABLE "notices" RENAME COLUMN "device_id" TO "subject_id";
ALTER TABLE "notices"
  ADD COLUMN "state" TEXT,
  ADD COLUMN "reason" TEXT,
  ADD COLUMN "until" TIMESTAMPTZ(3),
  ADD COLUMN "in_bell" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "read_at" TIMESTAMPTZ(3),
  ADD COLUMN "mailed_at" TIMESTAMPTZ(3),
  ALTER COLUMN "due_at" DROP NOT NULL;
-- A notice ends with the membership.
DELETE FROM "notices" n WHERE NOT EXISTS (SELECT FROM "members" m WHERE m."account_id" = n."account_id" AND m."user_id" = n."user_id");
ALTER TABLE "notices" ADD CONSTRAINT "notices_member_fkey" FOREIGN KEY ("account_id", "user_id")
  REFERENCES "members" ("account_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "notices_bell_idx" ON "notices" ("account_id", "user_id", "id") WHERE "in_bell";
CREATE INDEX "notices_told_idx" ON "notices" ("user_id", "subject_id", "kind", "at");
CREATE INDEX "notices_mailed_idx" ON "notices" ("user_id", "account_id", "kind", "mailed_at") WHERE "mailed_at" IS NOT NULL;

-- The kinds that the person switched off in this account.
ALTER TABLE "members"
  ADD COLUMN "mail_off" TEXT[] NOT NULL DEFAULT '{}',
  ADD COLUMN "bell_off" TEXT[] NOT NULL DEFAULT '{}';

-- The events that make notices. The log is as young as this index.
DROP INDEX "events_notices_idx";
CREATE INDEX "events_notices_idx" ON "events" ("generation", "xid", "seq") WHERE "kind" IN ('device.linked', 'device.state_changed',
  'device.limits_changed', 'device.link_lost', 'device.lapsed', 'quota.low', 'quota.exhausted', 'plan.expiring', 'webhook.failing',
  'webhook.disabled');

-- A link that ended although nobody had asked for it. `device.state_changed` does not tell this from a wanted logout.
CREATE FUNCTION append_lost_link_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (account_id, generation, device_id, subject_id, kind, reason)
  VALUES (NEW.account_id, event_generation(), NEW.id, NEW.id, 'device.link_lost', NEW.state_reason);
  RETURN NULL;
END $$;
CREATE TRIGGER "append_lost_link_of_device" AFTER UPDATE ON "devices" FOR EACH ROW
  WHEN (OLD.linked AND NOT NEW.linked AND OLD.desired_state = 'linked') EXECUTE FUNCTION append_lost_link_of_device();
