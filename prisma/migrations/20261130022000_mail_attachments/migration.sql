-- A kept mail may have one file, such as an invoice.
ALTER TABLE "kept_mails"
  ADD COLUMN "file_name" TEXT,
  ADD COLUMN "file" BYTEA;
