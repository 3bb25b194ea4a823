-- Versions of WhatsApp's web client that any worker saw, so that all appear as the same one and its age is known. Few rows:
-- WhatsApp publishes one every few days and each is stored once.
CREATE TABLE "whatsapp_versions" (
    "version" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "whatsapp_versions_pkey" PRIMARY KEY ("version"),
    CONSTRAINT "whatsapp_versions_form" CHECK ("version" ~ '^[0-9]{1,10}\.[0-9]{1,10}\.[0-9]{1,10}$'),
    CONSTRAINT "whatsapp_versions_source" CHECK ("source" IN ('built-in', 'web-client', 'setting'))
);

-- At most one row: when a worker last began to ask the web client for its version, and when that is due again.
CREATE TABLE "whatsapp_version_lookups" (
    "single" BOOLEAN NOT NULL DEFAULT true,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "whatsapp_version_lookups_pkey" PRIMARY KEY ("single"),
    CONSTRAINT "whatsapp_version_lookups_single" CHECK ("single")
);
