-- One payment may go back in several parts. What comes in and what it buys stands once each, as before.
DROP INDEX "ledger_entries_provider_provider_payment_kind_key";
CREATE UNIQUE INDEX "ledger_entries_provider_provider_payment_kind_key" ON "ledger_entries" ("provider", "provider_payment", "kind")
  WHERE "kind" IN ('payment', 'charge');
CREATE INDEX "ledger_entries_provider_payment_idx" ON "ledger_entries" ("provider", "provider_payment");
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_kind_check" CHECK ("kind" IN ('payment', 'charge', 'refund', 'chargeback'));
