-- After a change of its devices, a broadcast looks up which of them knows a recipient, up to this position so far. Null: nothing
-- is left to look up.
ALTER TABLE "broadcasts" ADD COLUMN "looked_up_to" INTEGER;
