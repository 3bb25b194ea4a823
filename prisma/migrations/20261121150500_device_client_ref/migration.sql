-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "client_ref" TEXT,
ADD COLUMN     "request_fingerprint" BYTEA;

-- CreateIndex
CREATE UNIQUE INDEX "devices_account_id_client_ref_key" ON "devices"("account_id", "client_ref");
