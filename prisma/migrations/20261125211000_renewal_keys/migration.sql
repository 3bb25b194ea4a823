-- The header Idempotency-Key of the request that made a renewal. A repeat gets the same renewal, also after it was paid. Apis of
-- the earlier version ignore the header. There are few renewals, so the index is made at once.
ALTER TABLE "renewals" ADD COLUMN "client_ref" TEXT;
CREATE UNIQUE INDEX "renewals_account_id_client_ref_key" ON "renewals" ("account_id", "client_ref");
