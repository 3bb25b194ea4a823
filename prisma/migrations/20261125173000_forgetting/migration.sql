-- All columns are null or have a default, so processes of the earlier version still run.

-- An account that is being erased, and one that is erased. From `erasure_begun_at` on nobody can use it.
ALTER TABLE "accounts" ADD COLUMN "erasure_begun_at" TIMESTAMPTZ(3), ADD COLUMN "erased_at" TIMESTAMPTZ(3);
CREATE INDEX "accounts_being_erased_idx" ON "accounts" ("id") WHERE "erasure_begun_at" IS NOT NULL AND "erased_at" IS NULL;

-- A person whose account was erased gets no second trial.
ALTER TABLE "users" ADD COLUMN "had_account" BOOLEAN NOT NULL DEFAULT false;

-- A deleted device keeps an empty row for a day, so that a message that was accepted meanwhile still finds it.
ALTER TABLE "devices" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
CREATE INDEX "devices_deleted_idx" ON "devices" ("id") WHERE "deleted_at" IS NOT NULL;

-- Contacts that stand already count as seen now.
ALTER TABLE "device_contacts" ADD COLUMN "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
