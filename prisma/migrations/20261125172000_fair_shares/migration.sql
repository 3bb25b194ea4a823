-- How many devices an account may have. A running period carries the number of its plan at the time of the sale.
ALTER TABLE "plans" ADD COLUMN "max_devices" INTEGER NOT NULL DEFAULT 100;
ALTER TABLE "subscription_periods" ADD COLUMN "max_devices" INTEGER NOT NULL DEFAULT 100;
-- Nobody paid for a trial, so its devices make room for those of others.
ALTER TABLE "subscription_periods" ADD COLUMN "is_trial" BOOLEAN NOT NULL DEFAULT false;
UPDATE "subscription_periods" SET "is_trial" = true, "max_devices" = 2 WHERE "plan_name" = 'Trial';
