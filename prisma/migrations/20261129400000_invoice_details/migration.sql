-- Whom invoices are made out to. A renewal keeps the details of the moment when it was paid.
ALTER TABLE accounts
  ADD COLUMN invoice_name TEXT,
  ADD COLUMN invoice_tax_number TEXT,
  ADD COLUMN invoice_address TEXT;

ALTER TABLE renewals
  ADD COLUMN invoice_name TEXT,
  ADD COLUMN invoice_tax_number TEXT,
  ADD COLUMN invoice_address TEXT;
