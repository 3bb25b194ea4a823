-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "new_contacts_automatic" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "device_health" (
    "device_id" TEXT NOT NULL,
    "was_restricted" BOOLEAN NOT NULL DEFAULT false,
    "clean_days" INTEGER NOT NULL DEFAULT 0,
    "clean_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "warning" SMALLINT NOT NULL DEFAULT 0,
    "warned_until" TIMESTAMPTZ(3),
    "next_new_contact_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_health_pkey" PRIMARY KEY ("device_id")
);

-- AddForeignKey
ALTER TABLE "device_health" ADD CONSTRAINT "device_health_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE CASCADE;



-- What Prisma's schema cannot say.

ALTER TABLE "device_health" ADD CONSTRAINT "device_health_clean_days_check" CHECK ("clean_days" >= 0);
ALTER TABLE "device_health" ADD CONSTRAINT "device_health_warning_check" CHECK ("warning" BETWEEN 0 AND 2 AND ("warning" = 0 OR "warned_until" IS NOT NULL));

-- Devices keep the limit that they have. The days of a number that is linked count from here, should its customer
-- choose the automatic limit.
INSERT INTO "device_health" ("device_id") SELECT "id" FROM "devices" WHERE "linked";
