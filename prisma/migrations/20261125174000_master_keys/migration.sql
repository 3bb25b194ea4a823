-- The master keys under which this database may hold records, and when a process last sealed with each.
CREATE TABLE "master_keys" (
    "id" TEXT NOT NULL,
    "proof" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "master_keys_pkey" PRIMARY KEY ("id")
);
