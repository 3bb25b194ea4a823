-- An operator may suspend an account: its keys are refused, and no worker connects its devices.
ALTER TABLE "accounts" ADD COLUMN "suspended_at" TIMESTAMPTZ(3), ADD COLUMN "suspended_reason" TEXT,
  ADD CONSTRAINT "accounts_suspended_check" CHECK (("suspended_at" IS NULL) = ("suspended_reason" IS NULL));
-- Each worker reads the suspended accounts when it looks for devices.
CREATE INDEX "accounts_suspended_idx" ON "accounts" ("id") WHERE "suspended_at" IS NOT NULL;

-- Open pages show a suspension and its end at once.
DROP TRIGGER "append_name_of_account" ON "accounts";
CREATE TRIGGER "append_name_of_account" AFTER UPDATE ON "accounts" FOR EACH ROW
  WHEN (NEW.name <> OLD.name OR NEW.suspended_reason IS DISTINCT FROM OLD.suspended_reason)
  EXECUTE FUNCTION append_name_of_account();
