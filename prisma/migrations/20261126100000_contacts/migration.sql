-- The people whom an account knows. Filters and broadcasts need plain columns.

-- Local numbers such as 0812… are numbers of this country. A constant default rewrites no row.
ALTER TABLE "accounts" ADD COLUMN "country" TEXT NOT NULL DEFAULT 'ID';

CREATE TABLE "contacts" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "phone" TEXT NOT NULL,
  "name" TEXT,
  "locale" TEXT,
  "time_zone" TEXT,
  "attributes" JSONB NOT NULL DEFAULT '{}',
  "lists" TEXT[] NOT NULL DEFAULT '{}',
  "consent_source" TEXT,
  "consent_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "contacts_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "contacts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
  CONSTRAINT "contacts_consent_check" CHECK (("consent_source" IS NULL) = ("consent_at" IS NULL))
);
CREATE UNIQUE INDEX "contacts_account_id_phone_key" ON "contacts"("account_id", "phone");
-- Pages of an account, newest first.
CREATE INDEX "contacts_account_id_id_idx" ON "contacts"("account_id", "id");
CREATE INDEX "contacts_lists_idx" ON "contacts" USING GIN ("lists");
-- Erasing a number looks in all accounts.
CREATE INDEX "contacts_phone_idx" ON "contacts"("phone");
