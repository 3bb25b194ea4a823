-- Files of rows that a person or a program sends in parts. Any worker on any machine can read them.

CREATE TABLE "uploads" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "file_name" TEXT,
  "bytes" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "uploads_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "uploads_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
);
CREATE INDEX "uploads_account_id_idx" ON "uploads"("account_id");
CREATE INDEX "uploads_created_at_idx" ON "uploads"("created_at");

CREATE TABLE "upload_parts" (
  "upload_id" TEXT NOT NULL,
  "number" SMALLINT NOT NULL,
  "size" INTEGER NOT NULL,
  "sha256" BYTEA NOT NULL,
  "bytes" BYTEA NOT NULL,
  CONSTRAINT "upload_parts_pkey" PRIMARY KEY ("upload_id", "number"),
  CONSTRAINT "upload_parts_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "uploads"("id") ON DELETE CASCADE
);
-- Uncompressed, so that a slice is read without the rest of the part.
ALTER TABLE "upload_parts" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
