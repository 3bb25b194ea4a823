-- The list of contacts by name. Contacts without a name come last. While the index is made, reads go on and writes wait.
CREATE INDEX "contacts_name_idx" ON "contacts" ("account_id",
  (CASE WHEN "name" IS NULL THEN '1' || "phone" ELSE '0' || lower("name") END) COLLATE "C", "id");
