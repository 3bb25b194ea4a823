-- A broadcast that waits for its hours or for quota takes no step before this. Null: it takes one at once.
ALTER TABLE "broadcasts" ADD COLUMN "looks_again_at" TIMESTAMPTZ(3);
