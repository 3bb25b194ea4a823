-- People who get no marketing, or nothing at all. The key is an HMAC of the recipient under a key of the account, so that a
-- suppression outlives the erasure of the number.
CREATE TABLE "suppressions" (
    "account_id" TEXT NOT NULL,
    "recipient_key" BYTEA NOT NULL,
    "scope" TEXT NOT NULL,
    "recipient" TEXT,
    "reason" TEXT NOT NULL,
    "source_id" TEXT,
    "actor" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("account_id", "recipient_key", "scope"),
    CONSTRAINT "suppressions_scope_check" CHECK ("scope" IN ('marketing', 'all')),
    CONSTRAINT "suppressions_reason_check" CHECK ("reason" IN ('keyword', 'complaint', 'manual', 'import', 'bounced'))
);
-- A claim looks the recipient up in the account; an erasure in all accounts.
CREATE INDEX "suppressions_recipient_idx" ON "suppressions" ("recipient", "account_id") WHERE "recipient" IS NOT NULL;
CREATE INDEX "suppressions_account_id_created_at_idx" ON "suppressions" ("account_id", "created_at", "recipient_key");
-- Those whose waiting messages the sweep has still to look for.
CREATE INDEX "suppressions_unsettled_idx" ON "suppressions" ("created_at") WHERE "settled_at" IS NULL;

-- The open messages to a person, over all devices of the account.
CREATE INDEX "messages_open_recipient_idx" ON "messages" ("account_id", "recipient") WHERE "stage" < 2;

-- The words by which people opt out and in, and the replies. Null: the usual ones.
ALTER TABLE "accounts" ADD COLUMN "opt_out" JSONB;
