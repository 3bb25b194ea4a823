-- The addresses of callers stand apart from the audit log: its rows stay for good, and an address is forgotten after a fixed
-- time (docs/decisions/0016-addresses-of-callers.md).
CREATE TABLE "audit_addresses" (
    "entry_id" TEXT NOT NULL,
    "account_id" TEXT,
    "actor" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_addresses_pkey" PRIMARY KEY ("entry_id"),
    CONSTRAINT "audit_addresses_entry_id_fkey" FOREIGN KEY ("entry_id") REFERENCES "audit_log"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "audit_addresses_at_idx" ON "audit_addresses"("at");
CREATE INDEX "audit_addresses_account_id_idx" ON "audit_addresses"("account_id");
CREATE INDEX "audit_addresses_actor_idx" ON "audit_addresses"("actor");
