-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'owner',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "allowed_ips" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key_secrets" (
    "key_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_secrets_pkey" PRIMARY KEY ("key_id","version")
);

-- CreateTable
CREATE TABLE "plans" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'TIME_BASED',
    "duration_days" INTEGER NOT NULL,
    "price_rupiah" INTEGER NOT NULL,
    "quota" INTEGER,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan_choices" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "plan_id" TEXT NOT NULL,
    "chosen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plan_choices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscription_periods" (
    "id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "plan_name" TEXT NOT NULL,
    "plan_type" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "initial_quota" INTEGER,
    "taken_quota" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscription_periods_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "renewals" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "plan_id" TEXT NOT NULL,
    "plan_name" TEXT NOT NULL,
    "plan_type" TEXT NOT NULL,
    "duration_days" INTEGER NOT NULL,
    "price_rupiah" INTEGER NOT NULL,
    "quota" INTEGER,
    "method" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "page_token" TEXT NOT NULL,
    "payment_url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "period_id" UUID,

    CONSTRAINT "renewals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "renewal_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "amount_rupiah" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_payment" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "devices" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "desired_state" TEXT NOT NULL DEFAULT 'unlinked',
    "linked" BOOLEAN NOT NULL DEFAULT false,
    "phone_number" TEXT,
    "state" TEXT NOT NULL DEFAULT 'disconnected',
    "state_reason" TEXT,
    "state_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_connected_at" TIMESTAMPTZ(3),
    "pairing_method" TEXT,
    "pairing_number" TEXT,
    "pairing_code" TEXT,
    "pairing_until" TIMESTAMPTZ(3),
    "pace_per_minute" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_leases" (
    "device_id" TEXT NOT NULL,
    "owner" TEXT,
    "epoch" BIGINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "device_leases_pkey" PRIMARY KEY ("device_id")
);

-- CreateTable
CREATE TABLE "worker_heartbeats" (
    "id" TEXT NOT NULL,
    "capacity" INTEGER NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "worker_heartbeats_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "device_credentials" (
    "device_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "epoch" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "device_credentials_pkey" PRIMARY KEY ("device_id","kind","id")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "account_id" TEXT NOT NULL,
    "device_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "period_id" UUID,
    "priority" SMALLINT NOT NULL,
    "recipient" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "client_ref" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "reason" TEXT,
    "network_message_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "unanswered" SMALLINT NOT NULL DEFAULT 0,
    "epoch" BIGINT,
    "send_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "held_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_events" (
    "message_id" TEXT NOT NULL,
    "ordinal" BIGSERIAL NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_events_pkey" PRIMARY KEY ("message_id","ordinal")
);

-- CreateTable
CREATE TABLE "request_keys" (
    "scope" TEXT NOT NULL,
    "value" BYTEA NOT NULL,
    "message_id" TEXT,
    "device_id" TEXT,
    "fingerprint" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "request_keys_pkey" PRIMARY KEY ("scope","value")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "id" TEXT NOT NULL,
    "account_id" TEXT,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT,
    "detail" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_account_id_idx" ON "users"("account_id");

-- CreateIndex
CREATE INDEX "api_keys_account_id_idx" ON "api_keys"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "plans_name_key" ON "plans"("name");

-- CreateIndex
CREATE INDEX "plan_choices_account_id_chosen_at_idx" ON "plan_choices"("account_id", "chosen_at");

-- CreateIndex
CREATE INDEX "subscription_periods_account_id_ends_at_idx" ON "subscription_periods"("account_id", "ends_at");

-- CreateIndex
CREATE UNIQUE INDEX "renewals_page_token_key" ON "renewals"("page_token");

-- CreateIndex
CREATE UNIQUE INDEX "renewals_period_id_key" ON "renewals"("period_id");

-- CreateIndex
CREATE INDEX "renewals_account_id_created_at_idx" ON "renewals"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "ledger_entries_account_id_created_at_idx" ON "ledger_entries"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_provider_provider_payment_kind_key" ON "ledger_entries"("provider", "provider_payment", "kind");

-- CreateIndex
CREATE INDEX "devices_account_id_idx" ON "devices"("account_id");

-- CreateIndex
CREATE INDEX "device_leases_owner_idx" ON "device_leases"("owner");

-- CreateIndex
CREATE UNIQUE INDEX "messages_seq_key" ON "messages"("seq");

-- CreateIndex
CREATE INDEX "messages_account_id_seq_idx" ON "messages"("account_id", "seq");

-- CreateIndex
CREATE INDEX "messages_device_id_network_message_id_idx" ON "messages"("device_id", "network_message_id");

-- CreateIndex
CREATE INDEX "request_keys_created_at_idx" ON "request_keys" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "audit_log_account_id_at_idx" ON "audit_log"("account_id", "at");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_choices" ADD CONSTRAINT "plan_choices_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_choices" ADD CONSTRAINT "plan_choices_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_period_id_fkey" FOREIGN KEY ("period_id") REFERENCES "subscription_periods"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_renewal_id_fkey" FOREIGN KEY ("renewal_id") REFERENCES "renewals"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "devices" ADD CONSTRAINT "devices_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "device_leases" ADD CONSTRAINT "device_leases_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "devices"("id") ON DELETE CASCADE ON UPDATE CASCADE;



-- What Prisma's schema cannot say.

-- The lane: what waits, in order. Partial, so that it stays as small as the backlog.
CREATE INDEX "messages_lane_idx" ON "messages" ("device_id", "priority", "seq") WHERE "status" = 'queued';
-- Recipients that wait, and those that wait behind them.
CREATE INDEX "messages_held_idx" ON "messages" ("device_id", "recipient", "seq") WHERE "status" = 'queued' AND "held_until" IS NOT NULL;
-- What a crashed owner left behind.
CREATE INDEX "messages_sending_idx" ON "messages" ("device_id", "seq") WHERE "status" = 'sending';
CREATE INDEX "messages_expiry_idx" ON "messages" ("expires_at") WHERE "status" = 'queued' AND "expires_at" IS NOT NULL;
CREATE INDEX "messages_client_ref_idx" ON "messages" ("account_id", "client_ref") WHERE "client_ref" IS NOT NULL;
-- Room on the page for the moves that touch no index (sent, delivered, read).
ALTER TABLE "messages" SET (fillfactor = 80);

-- A bulk inserts in the order of its messages: the sequence must not hand out numbers ahead.
ALTER SEQUENCE "messages_seq_seq" CACHE 1;

ALTER TABLE "messages" ADD CONSTRAINT "messages_status_check" CHECK ("status" IN ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'expired', 'cancelled', 'unknown'));
ALTER TABLE "subscription_periods" ADD CONSTRAINT "subscription_periods_taken_check" CHECK ("taken_quota" >= 0 AND ("initial_quota" IS NULL OR "taken_quota" <= "initial_quota"));
ALTER TABLE "devices" ADD CONSTRAINT "devices_state_check" CHECK ("state" IN ('disconnected', 'pairing', 'connecting', 'connected', 'banned'));
ALTER TABLE "devices" ADD CONSTRAINT "devices_desired_state_check" CHECK ("desired_state" IN ('linked', 'unlinked'));
ALTER TABLE "renewals" ADD CONSTRAINT "renewals_state_check" CHECK ("state" IN ('pending', 'paid', 'expired', 'cancelled'));
-- One payment page at a time.
CREATE UNIQUE INDEX "renewals_pending_idx" ON "renewals" ("account_id") WHERE "state" = 'pending';
