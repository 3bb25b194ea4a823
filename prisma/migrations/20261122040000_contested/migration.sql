-- Ends a statement, and takes back all that its parts have written, when others were faster. It never returns; boolean
-- only so that it can stand in a condition, and volatile (the default), or the planner might call it. Its code is looked
-- for by packages/database/src/store-messages.ts.
CREATE FUNCTION "end_contested"("what" text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'KR001', MESSAGE = format('contested: %s', what);
END
$$;
