-- A person's marketing counts from the time of sending. What waits counts, however long it has waited.
ALTER TABLE "messages" ADD COLUMN "tried_at" TIMESTAMPTZ(3);
DROP INDEX "messages_marketing_idx";
-- While the index is made, reads go on and writes wait. Messages of earlier versions have no time of a try.
CREATE INDEX "messages_marketing_idx" ON "messages" ("account_id", "recipient",
  (CASE WHEN "stage" < 2 THEN 'infinity'::timestamptz ELSE coalesce("tried_at", "created_at") END)) WHERE "category" = 2;
