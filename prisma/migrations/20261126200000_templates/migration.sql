-- Templates: texts for many recipients. A version never changes, so that a broadcast can name the one that it sends.

CREATE TABLE "templates" (
  "id" TEXT NOT NULL,
  "account_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "latest_version" INTEGER NOT NULL DEFAULT 1,
  "archived_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "templates_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "templates_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id")
);
CREATE INDEX "templates_account_id_id_idx" ON "templates"("account_id", "id");
-- The name of an archived template is free again.
CREATE UNIQUE INDEX "templates_account_id_name_key" ON "templates"("account_id", "name") WHERE "archived_at" IS NULL;

CREATE TABLE "template_versions" (
  "template_id" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "text" TEXT NOT NULL,
  "footer" TEXT,
  "created_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "template_versions_pkey" PRIMARY KEY ("template_id", "version"),
  CONSTRAINT "template_versions_template_id_fkey" FOREIGN KEY ("template_id") REFERENCES "templates"("id") ON DELETE CASCADE
);

CREATE FUNCTION refuse_changed_template_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a template never changes';
END $$;
CREATE TRIGGER template_versions_never_change BEFORE UPDATE ON "template_versions"
FOR EACH ROW EXECUTE FUNCTION refuse_changed_template_version();
