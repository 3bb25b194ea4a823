-- The outcomes of a device's messages, by UTC day. The workers count the newest days again and again, so a row may always be
-- replaced or go.
CREATE TABLE "device_days" (
    "device_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "unknown" INTEGER NOT NULL DEFAULT 0,
    "answers" INTEGER NOT NULL DEFAULT 0,
    "opted_out" INTEGER NOT NULL DEFAULT 0,
    "counted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "device_days_pkey" PRIMARY KEY ("device_id", "day")
);
CREATE INDEX "device_days_day_idx" ON "device_days" ("day");
ALTER TABLE "device_days" ADD CONSTRAINT "device_days_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A scheduled message counts on the day for which it is scheduled. All others are found by their ids, which begin with a time.
-- While the index is made, reads go on and writes wait. Not CONCURRENTLY: it would wait for the other processes that wait for
-- their turn to migrate.
CREATE INDEX "messages_scheduled_idx" ON "messages" ("send_at", "id") WHERE "send_at" IS NOT NULL;

-- Messages from before this time belong to another number. Null: all are of this number.
ALTER TABLE "device_health" ADD COLUMN "counted_from" TIMESTAMPTZ(3);
