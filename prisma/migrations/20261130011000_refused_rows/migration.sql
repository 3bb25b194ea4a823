-- The file of refused rows has the columns of the customer, in their order and with their separator.
ALTER TABLE "contact_imports" ADD COLUMN "columns" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[], ADD COLUMN "separator" TEXT;
ALTER TABLE "contact_import_refusals" ADD COLUMN "same_as_row" INTEGER, ADD COLUMN "key_number" INTEGER, ADD COLUMN "sealed" BYTEA;
