-- One log of everything that happens to messages, devices and accounts. Its order loses nothing: (generation, xid, seq), read
-- only below the oldest transaction that still runs (packages/database/src/events.ts).

-- CreateTable: counts restored backups. With the timeline, which Postgres raises at a failover, it makes the generation.
CREATE TABLE "event_log" (
    "single" BOOLEAN NOT NULL DEFAULT true CHECK ("single"),
    "restore_number" INTEGER NOT NULL DEFAULT 0,
    "system_identifier" BIGINT NOT NULL,

    CONSTRAINT "event_log_pkey" PRIMARY KEY ("single")
);
INSERT INTO "event_log" ("system_identifier") SELECT system_identifier FROM pg_control_system();

-- The first eight digits of a WAL file's name are the timeline.
CREATE FUNCTION event_generation() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (restore_number::bigint << 32) | ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint
  FROM event_log $$;

CREATE SEQUENCE "events_seq_seq" AS BIGINT;

-- CreateTable
CREATE TABLE "events" (
    "account_id" TEXT NOT NULL,
    "generation" BIGINT NOT NULL,
    "xid" XID8 NOT NULL DEFAULT pg_current_xact_id(),
    "seq" BIGINT NOT NULL DEFAULT nextval('events_seq_seq'),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "device_id" TEXT,
    "subject_id" TEXT NOT NULL,
    "sequence" INTEGER,
    "kind" TEXT NOT NULL,
    "state" TEXT,
    "reason" TEXT,
    "until" TIMESTAMPTZ(3),

    CONSTRAINT "events_pkey" PRIMARY KEY ("account_id","generation","xid","seq","at")
) PARTITION BY RANGE ("at");

-- CreateIndex
CREATE INDEX "events_subject_idx" ON "events" ("subject_id");
CREATE INDEX "events_at_idx" ON "events" USING BRIN ("at");

CREATE TABLE "events_default" PARTITION OF "events" DEFAULT;

-- Of this month and the two next ones; the workers make further ones (month-partitions.ts).
DO $$
DECLARE month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
BEGIN
  FOR ahead IN 0..2 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
      'events_' || to_char(month + make_interval(months => ahead), 'YYYY_MM'),
      (month + make_interval(months => ahead)) AT TIME ZONE 'UTC', (month + make_interval(months => ahead + 1)) AT TIME ZONE 'UTC');
  END LOOP;
END $$;

-- How many events each has: the next one's number.
ALTER TABLE "messages" ADD COLUMN "event_count" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "devices" ADD COLUMN "event_count" INTEGER NOT NULL DEFAULT 0;

-- Timelines: those of before the log, and the log. Apis of the earlier version read them here and write to them here.
ALTER TABLE "message_events" RENAME TO "message_events_before_log";
-- The log continues their numbers, so that the events of a message keep their order. Nobody draws one of the old numbers any more.
SELECT setval('events_seq_seq', nextval(pg_get_serial_sequence('message_events_before_log', 'ordinal')));
CREATE VIEW "message_events" AS
  SELECT "message_id", "ordinal", "status", "reason", "at" FROM "message_events_before_log"
  UNION ALL
  SELECT "subject_id", "seq", CASE "kind" WHEN 'message.waiting' THEN 'queued' ELSE substr("kind", 9) END, "reason", "at"
  FROM "events" WHERE "kind" LIKE 'message.%' AND "kind" <> 'message.accepted';

CREATE FUNCTION append_move_of_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH counted AS (
    UPDATE messages SET event_count = event_count + 1 WHERE id = NEW.message_id
    RETURNING account_id, device_id, id, event_count, waits_until)
  INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind, reason, until, at)
  SELECT account_id, event_generation(), device_id, id, event_count,
    'message.' || CASE NEW.status WHEN 'queued' THEN 'waiting' ELSE NEW.status END,
    NEW.reason, CASE NEW.status WHEN 'queued' THEN waits_until END, coalesce(NEW.at, now())
  FROM counted;
  RETURN NEW;
END $$;
CREATE TRIGGER "append_move_of_message" INSTEAD OF INSERT ON "message_events" FOR EACH ROW EXECUTE FUNCTION append_move_of_message();

-- Apis of this version write the event of an acceptance themselves, and count it.
CREATE FUNCTION append_acceptance_of_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE messages SET event_count = 1 WHERE id = NEW.id;
  INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind)
  VALUES (NEW.account_id, event_generation(), NEW.device_id, NEW.id, 1, 'message.accepted');
  RETURN NULL;
END $$;
CREATE TRIGGER "append_acceptance_of_message" AFTER INSERT ON "messages" FOR EACH ROW WHEN (NEW.event_count = 0)
  EXECUTE FUNCTION append_acceptance_of_message();

-- Many statements change devices. `device.changed` is for the dashboard's live pages: it has no number.
CREATE FUNCTION append_change_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  state_changed boolean := (NEW.state, NEW.state_reason, NEW.state_detail, NEW.state_until)
    IS DISTINCT FROM (OLD.state, OLD.state_reason, OLD.state_detail, OLD.state_until);
  limits_changed boolean := (NEW.new_contacts_per_day, NEW.new_contacts_automatic, NEW.new_contacts_blocked_until, NEW.new_contacts_reason,
      NEW.new_chats_used, NEW.new_chats_total, NEW.new_chats_reset_at)
    IS DISTINCT FROM (OLD.new_contacts_per_day, OLD.new_contacts_automatic, OLD.new_contacts_blocked_until, OLD.new_contacts_reason,
      OLD.new_chats_used, OLD.new_chats_total, OLD.new_chats_reset_at);
BEGIN
  IF state_changed THEN
    NEW.event_count := NEW.event_count + 1;
    INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind, state, reason, until)
    VALUES (NEW.account_id, event_generation(), NEW.id, NEW.id, NEW.event_count, 'device.state_changed', NEW.state, NEW.state_reason, NEW.state_until);
  END IF;
  IF limits_changed THEN
    NEW.event_count := NEW.event_count + 1;
    INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind, reason, until)
    VALUES (NEW.account_id, event_generation(), NEW.id, NEW.id, NEW.event_count, 'device.limits_changed', NEW.new_contacts_reason, NEW.new_contacts_blocked_until);
  END IF;
  IF NOT state_changed AND NOT limits_changed THEN
    INSERT INTO events (account_id, generation, device_id, subject_id, kind)
    VALUES (NEW.account_id, event_generation(), NEW.id, NEW.id, 'device.changed');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "append_change_of_device" BEFORE UPDATE ON "devices" FOR EACH ROW
  WHEN ((NEW.name, NEW.linked, NEW.desired_state, NEW.phone_number, NEW.pairing_code, NEW.state, NEW.state_reason, NEW.state_detail, NEW.state_until,
      NEW.pace_per_minute, NEW.pace_jitter_ms, NEW.typing_ms, NEW.new_contacts_per_day, NEW.new_contacts_automatic, NEW.new_contacts_blocked_until,
      NEW.new_contacts_reason, NEW.new_chats_used, NEW.new_chats_total, NEW.new_chats_reset_at, NEW.proxy_sealed)
    IS DISTINCT FROM (OLD.name, OLD.linked, OLD.desired_state, OLD.phone_number, OLD.pairing_code, OLD.state, OLD.state_reason, OLD.state_detail, OLD.state_until,
      OLD.pace_per_minute, OLD.pace_jitter_ms, OLD.typing_ms, OLD.new_contacts_per_day, OLD.new_contacts_automatic, OLD.new_contacts_blocked_until,
      OLD.new_contacts_reason, OLD.new_chats_used, OLD.new_chats_total, OLD.new_chats_reset_at, OLD.proxy_sealed))
  EXECUTE FUNCTION append_change_of_device();

CREATE FUNCTION append_new_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (account_id, generation, device_id, subject_id, kind)
  VALUES (NEW.account_id, event_generation(), NEW.id, NEW.id, 'device.changed');
  RETURN NULL;
END $$;
CREATE TRIGGER "append_new_device" AFTER INSERT ON "devices" FOR EACH ROW EXECUTE FUNCTION append_new_device();

-- A warning of the network stands beside its device.
CREATE FUNCTION append_health_of_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (account_id, generation, device_id, subject_id, kind)
  SELECT account_id, event_generation(), id, id, 'device.changed' FROM devices WHERE id = NEW.device_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "append_health_of_device" AFTER UPDATE ON "device_health" FOR EACH ROW
  WHEN ((NEW.warning, NEW.warned_until) IS DISTINCT FROM (OLD.warning, OLD.warned_until)) EXECUTE FUNCTION append_health_of_device();
CREATE TRIGGER "append_first_health_of_device" AFTER INSERT ON "device_health" FOR EACH ROW
  WHEN (NEW.warning <> 0) EXECUTE FUNCTION append_health_of_device();

-- `account.changed` is for the dashboard's live pages too.
CREATE FUNCTION append_change_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (account_id, generation, subject_id, kind)
  VALUES (NEW.account_id, event_generation(), NEW.account_id, 'account.changed');
  RETURN NULL;
END $$;
CREATE TRIGGER "append_change_of_account" AFTER INSERT ON "plan_choices" FOR EACH ROW EXECUTE FUNCTION append_change_of_account();
CREATE TRIGGER "append_change_of_account" AFTER INSERT ON "subscription_periods" FOR EACH ROW EXECUTE FUNCTION append_change_of_account();
CREATE TRIGGER "append_new_renewal" AFTER INSERT ON "renewals" FOR EACH ROW EXECUTE FUNCTION append_change_of_account();
CREATE TRIGGER "append_change_of_renewal" AFTER UPDATE ON "renewals" FOR EACH ROW WHEN (NEW.state <> OLD.state)
  EXECUTE FUNCTION append_change_of_account();

CREATE FUNCTION append_name_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (account_id, generation, subject_id, kind) VALUES (NEW.id, event_generation(), NEW.id, 'account.changed');
  RETURN NULL;
END $$;
CREATE TRIGGER "append_name_of_account" AFTER UPDATE ON "accounts" FOR EACH ROW WHEN (NEW.name <> OLD.name)
  EXECUTE FUNCTION append_name_of_account();

-- Where the server refuses one of its functions, this migration fails, and not every statement after it.
SELECT event_generation();
