-- A broadcast sets quota aside in several periods, because an early renewal opens a second one.
ALTER TABLE "broadcasts" ADD COLUMN "reservations" JSONB NOT NULL DEFAULT '[]';
UPDATE "broadcasts" SET "reservations" = jsonb_build_array(jsonb_build_object('periodId', "period_id", 'count', "reserved"))
  WHERE "reserved" > 0;
ALTER TABLE "broadcasts" DROP CONSTRAINT "broadcasts_reserved_check", DROP COLUMN "period_id", DROP COLUMN "reserved",
  ADD CONSTRAINT "broadcasts_reservations_check" CHECK (jsonb_typeof("reservations") = 'array');
