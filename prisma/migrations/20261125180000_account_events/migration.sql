-- Events of an account: its quota runs low or is used up, its plan is about to end, a renewal is paid.

-- The number of its events so far.
ALTER TABLE "accounts" ADD COLUMN "event_count" INTEGER NOT NULL DEFAULT 0;
-- The percentage of the quota and the days before the end that events have told already.
ALTER TABLE "subscription_periods" ADD COLUMN "told_percent" SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE "subscription_periods" ADD COLUMN "told_days" SMALLINT;
-- Periods from before this migration tell nothing late.
UPDATE "subscription_periods" SET "told_percent" = 100, "told_days" = 0
  WHERE "ends_at" <= now() OR "taken_quota" >= "initial_quota";
UPDATE "subscription_periods" SET "told_percent" = 80 WHERE "told_percent" = 0 AND "taken_quota" >= ceil("initial_quota" * 0.8);

CREATE FUNCTION append_event_of_account(account text, kind text, state text, until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH counted AS (UPDATE accounts SET event_count = event_count + 1 WHERE id = account RETURNING event_count)
  INSERT INTO events (account_id, generation, subject_id, sequence, kind, state, until)
  SELECT account, event_generation(), account, event_count, kind, state, until FROM counted;
END $$;

-- Each period tells each step once, although messages that fail give quota back. Quota of another open period counts too.
CREATE FUNCTION append_quota_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE reached smallint := CASE WHEN NEW.taken_quota >= NEW.initial_quota THEN 100 ELSE 80 END;
BEGIN
  NEW.told_percent := reached;
  IF NOT EXISTS (SELECT FROM subscription_periods p WHERE p.account_id = NEW.account_id AND p.id <> NEW.id
      AND p.starts_at <= now() AND p.ends_at > now() AND (p.initial_quota IS NULL OR p.taken_quota < p.initial_quota)) THEN
    PERFORM append_event_of_account(NEW.account_id, CASE reached WHEN 100 THEN 'quota.exhausted' ELSE 'quota.low' END,
      reached::text, NEW.ends_at);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "append_quota_of_account" BEFORE UPDATE ON "subscription_periods" FOR EACH ROW
  WHEN ((NEW.taken_quota >= NEW.initial_quota AND OLD.told_percent < 100)
    OR (NEW.taken_quota >= ceil(NEW.initial_quota * 0.8) AND OLD.told_percent < 80))
  EXECUTE FUNCTION append_quota_of_account();

-- The subject is the renewal, which is paid once.
CREATE FUNCTION append_payment_of_renewal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (account_id, generation, subject_id, sequence, kind)
  VALUES (NEW.account_id, event_generation(), NEW.id, 1, 'renewal.paid');
  RETURN NULL;
END $$;
CREATE TRIGGER "append_payment_of_renewal" AFTER UPDATE ON "renewals" FOR EACH ROW
  WHEN (NEW.state = 'paid' AND OLD.state <> 'paid') EXECUTE FUNCTION append_payment_of_renewal();
