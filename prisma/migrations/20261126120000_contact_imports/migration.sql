-- Imports of contacts from uploads. A worker holds an import by a lease, and stores its place with each batch.

CREATE TABLE "contact_imports" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "upload_id" TEXT NOT NULL,
  "file_name" TEXT,
  "bytes" INTEGER NOT NULL,
  "country" TEXT NOT NULL,
  "mapping" JSONB NOT NULL,
  "lists" TEXT[] NOT NULL DEFAULT '{}',
  "consent_source" TEXT,
  "consent_at" TIMESTAMPTZ(3),
  "on_existing" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "problem" TEXT,
  "problem_row" INTEGER,
  "last_row" INTEGER NOT NULL DEFAULT 0,
  "read_bytes" INTEGER NOT NULL DEFAULT 0,
  "rows" INTEGER NOT NULL DEFAULT 0,
  "added" INTEGER NOT NULL DEFAULT 0,
  "updated" INTEGER NOT NULL DEFAULT 0,
  "unchanged" INTEGER NOT NULL DEFAULT 0,
  "refused" JSONB NOT NULL DEFAULT '{}',
  "owner" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "contact_imports_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "contact_imports_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id"),
  CONSTRAINT "contact_imports_on_existing_check" CHECK ("on_existing" IN ('update', 'keep')),
  CONSTRAINT "contact_imports_state_check" CHECK ("state" IN ('waiting', 'running', 'done', 'cancelled', 'failed')),
  CONSTRAINT "contact_imports_ended_check" CHECK (("ended_at" IS NOT NULL) = ("state" IN ('done', 'cancelled', 'failed')))
);
-- An upload is imported once.
CREATE UNIQUE INDEX "contact_imports_upload_id_key" ON "contact_imports"("upload_id");
CREATE INDEX "contact_imports_account_id_id_idx" ON "contact_imports"("account_id", "id");
CREATE INDEX "contact_imports_unfinished_idx" ON "contact_imports"("created_at") WHERE "ended_at" IS NULL;
CREATE INDEX "contact_imports_created_at_idx" ON "contact_imports"("created_at");

CREATE TABLE "contact_import_refusals" (
  "import_id" TEXT NOT NULL,
  "row" INTEGER NOT NULL,
  "column_name" TEXT,
  "value" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "phone" TEXT,
  CONSTRAINT "contact_import_refusals_pkey" PRIMARY KEY ("import_id", "row"),
  CONSTRAINT "contact_import_refusals_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "contact_imports"("id") ON DELETE CASCADE
);
-- Erasing a number finds the rows that were refused as its duplicates.
CREATE INDEX "contact_import_refusals_phone_idx" ON "contact_import_refusals"("phone") WHERE "phone" IS NOT NULL;
