-- Workers of earlier versions read texts in `messages.body`, where new messages have none. They sign on in `workers`: without
-- that table they can neither renew their leases nor take others, and close their sessions.
ALTER TABLE "workers" RENAME TO "worker_processes";
ALTER TABLE "worker_processes" RENAME CONSTRAINT "workers_pkey" TO "worker_processes_pkey";

-- Apis of earlier versions go on storing texts here. Empty: the text stands elsewhere, or is erased.
ALTER TABLE "messages" ALTER COLUMN "body" SET DEFAULT '';

-- AlterTable: hours for which texts are kept after a message's end, where an account wants less than the gateway keeps them.
ALTER TABLE "accounts" ADD COLUMN "text_retention_hours" INTEGER;

-- CreateTable
CREATE TABLE "account_keys" (
    "account_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,
    "reserved" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_keys_pkey" PRIMARY KEY ("account_id","number")
);

-- AddForeignKey
ALTER TABLE "account_keys" ADD CONSTRAINT "account_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- CreateTable: ids of messages begin with the time of acceptance. Their order must not change with a locale of the machine.
CREATE TABLE "message_contents" (
    "message_id" TEXT COLLATE "C" NOT NULL,
    "kind" TEXT NOT NULL,
    "key_number" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,
    "is_code" BOOLEAN NOT NULL,

    CONSTRAINT "message_contents_pkey" PRIMARY KEY ("message_id")
) PARTITION BY RANGE ("message_id");

-- The contents of codes, which are erased soon.
CREATE INDEX "message_contents_codes_idx" ON "message_contents" ("message_id") WHERE "is_code";

CREATE TABLE "message_contents_default" PARTITION OF "message_contents" DEFAULT;

-- Of this month and the two next ones; the workers make further ones (month-partitions.ts).
DO $$
DECLARE
  digits CONSTANT text := '0123456789abcdefghjkmnpqrstvwxyz';
  month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
  bounds text[] := '{}';
  ms bigint;
  bound text;
BEGIN
  FOR ahead IN 0..3 LOOP
    ms := extract(epoch FROM (month + make_interval(months => ahead)) AT TIME ZONE 'UTC') * 1000;
    bound := '';
    FOR digit IN 1..10 LOOP
      bound := substr(digits, (ms % 32)::int + 1, 1) || bound;
      ms := ms / 32;
    END LOOP;
    bounds := bounds || ('msg_' || bound);
  END LOOP;
  FOR ahead IN 0..2 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF message_contents FOR VALUES FROM (%L) TO (%L)',
      'message_contents_' || to_char(month + make_interval(months => ahead), 'YYYY_MM'), bounds[ahead + 1], bounds[ahead + 2]);
  END LOOP;
END $$;

-- CreateTable: what processes of the earlier version must still understand, and until when.
CREATE TABLE "upgrade_windows" (
    "name" TEXT NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "upgrade_windows_pkey" PRIMARY KEY ("name")
);

-- While apis of both versions run, a repeat may come to either, and texts are stored in both places.
INSERT INTO "upgrade_windows" ("name", "ends_at") SELECT 'message_contents', now() + interval '1 hour' WHERE EXISTS (SELECT 1 FROM "accounts");
