-- Workers of earlier versions have several messages of a device in hand, which the next migration's index forbids. They sign
-- on in `worker_heartbeats`: without that table they can neither renew their leases nor take others, and close their sessions.
ALTER TABLE "worker_heartbeats" RENAME TO "workers";
ALTER TABLE "workers" RENAME CONSTRAINT "worker_heartbeats_pkey" TO "workers_pkey";

-- CreateTable
CREATE TABLE "device_pace" (
    "device_id" TEXT NOT NULL,
    "next_send_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_pace_pkey" PRIMARY KEY ("device_id")
);

-- AddForeignKey
ALTER TABLE "device_pace" ADD CONSTRAINT "device_pace_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE CASCADE;
