-- The country that a new person names. The account that opens for this person gets it.
ALTER TABLE "users" ADD COLUMN "country" TEXT;
-- Where people of the account's country live, if nothing more is known about them. Null: in any of its zones.
ALTER TABLE "accounts" ADD COLUMN "time_zone" TEXT;
