-- Who made a key, and who saw each of its secrets: the person who created or rotated it. Null: the command line, or unknown.
-- No foreign key: the id stays when the person is erased. Apis of the earlier version leave both columns empty.
ALTER TABLE "api_keys" ADD COLUMN "created_by" TEXT;
ALTER TABLE "api_key_secrets" ADD COLUMN "created_by" TEXT;

-- The audit log knows who made the earlier ones. The first rotation made version 2, the next one version 3.
WITH changes AS (
  SELECT "subject" AS key_id, "actor", 1 AS version FROM "audit_log" WHERE "action" = 'key.created'
  UNION ALL
  SELECT "subject", "actor", 1 + row_number() OVER (PARTITION BY "subject" ORDER BY "at", "id") FROM "audit_log" WHERE "action" = 'key.rotated')
UPDATE "api_key_secrets" s SET "created_by" = c."actor" FROM changes c
WHERE c.key_id = s."key_id" AND c.version = s."version" AND c."actor" LIKE 'usr\_%';

UPDATE "api_keys" k SET "created_by" = s."created_by" FROM "api_key_secrets" s
WHERE s."key_id" = k."id" AND s."version" = 1 AND s."created_by" IS NOT NULL;
