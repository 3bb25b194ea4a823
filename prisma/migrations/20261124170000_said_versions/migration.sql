-- When the web client last said the version: the one that it said last counts, so that a withdrawn version does not stick.
ALTER TABLE "whatsapp_versions" ADD COLUMN "said_at" TIMESTAMPTZ(3);

UPDATE "whatsapp_versions" SET "said_at" = "first_seen_at" WHERE "source" = 'web-client';
