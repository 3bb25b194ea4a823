-- The file or the contacts that become the recipients of a broadcast. A worker holds it by a lease while the broadcast is
-- `checking`, and stores its place with each batch.

CREATE TABLE "broadcast_audiences" (
  "broadcast_id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "upload_id" TEXT,
  "country" TEXT NOT NULL,
  "mapping" JSONB,
  "filter" JSONB,
  "place" TEXT,
  "done" INTEGER NOT NULL DEFAULT 0,
  "total" INTEGER,
  "problem" TEXT,
  "problem_row" INTEGER,
  "owner" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "broadcast_audiences_pkey" PRIMARY KEY ("broadcast_id"),
  CONSTRAINT "broadcast_audiences_broadcast_id_fkey" FOREIGN KEY ("broadcast_id") REFERENCES "broadcasts"("id") ON DELETE CASCADE
);
-- An upload is used once.
CREATE UNIQUE INDEX "broadcast_audiences_upload_id_key" ON "broadcast_audiences"("upload_id");
CREATE INDEX "broadcast_audiences_account_id_idx" ON "broadcast_audiences"("account_id");
-- Those that a worker plans.
CREATE INDEX "broadcasts_checking_idx" ON "broadcasts" ("id") WHERE "state" = 'checking';
