-- The way of paying, such as QRIS, if the provider told it. Entries from before have none.
ALTER TABLE "ledger_entries" ADD COLUMN "method" TEXT;
