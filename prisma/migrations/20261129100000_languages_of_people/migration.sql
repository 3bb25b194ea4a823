-- The language of a person's mails. Null: not known yet.
ALTER TABLE "users" ADD COLUMN "language" TEXT;
ALTER TABLE "users" ADD CONSTRAINT "users_language_check" CHECK ("language" IN ('en', 'id'));

-- The mails of a development run are shown as they would be sent.
ALTER TABLE "kept_mails" ADD COLUMN "html" TEXT;
