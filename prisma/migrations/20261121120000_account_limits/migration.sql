-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "pace_jitter_ms" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "typing_ms" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "new_contacts_per_day" INTEGER,
ADD COLUMN     "new_contacts_blocked_until" TIMESTAMPTZ(3),
ADD COLUMN     "new_contacts_reason" TEXT,
ADD COLUMN     "new_chats_used" INTEGER,
ADD COLUMN     "new_chats_total" INTEGER,
ADD COLUMN     "new_chats_reset_at" TIMESTAMPTZ(3),
ADD COLUMN     "proxy_sealed" BYTEA;

-- CreateTable
CREATE TABLE "device_contacts" (
    "device_id" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "wrote_at" TIMESTAMPTZ(3),
    "heard_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_contacts_pkey" PRIMARY KEY ("device_id","recipient")
);



-- What Prisma's schema cannot say.

-- The day's new contacts, counted at every claim of a device that has a daily limit.
CREATE INDEX "device_contacts_wrote_idx" ON "device_contacts" ("device_id", "wrote_at") WHERE "wrote_at" IS NOT NULL;

-- A running turn must end within the time that a hand-over has.
ALTER TABLE "devices" ADD CONSTRAINT "devices_pace_jitter_check" CHECK ("pace_jitter_ms" BETWEEN 0 AND 5000);
ALTER TABLE "devices" ADD CONSTRAINT "devices_typing_check" CHECK ("typing_ms" BETWEEN 0 AND 5000);
ALTER TABLE "devices" ADD CONSTRAINT "devices_new_contacts_per_day_check" CHECK ("new_contacts_per_day" >= 0);
