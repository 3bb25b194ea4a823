-- The requests of keys, for a week (docs/requests.md). A day is a partition and is forgotten by dropping it. Requests of a day
-- without a partition go to the default partition.
CREATE TABLE "api_requests" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "operation" TEXT,
    "status" SMALLINT,
    "code" TEXT,
    "duration_ms" INTEGER,
    "address" TEXT,
    "not_recorded" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("id", "at")
) PARTITION BY RANGE ("at");

CREATE INDEX "api_requests_account_id_id_idx" ON "api_requests" ("account_id", "id");
CREATE INDEX "api_requests_account_id_key_id_id_idx" ON "api_requests" ("account_id", "key_id", "id");

CREATE TABLE "api_requests_default" PARTITION OF "api_requests" DEFAULT;

-- Workers make and drop the partitions of days, as those of months (20261125178100_month_partitions).
CREATE FUNCTION make_day_partition(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  part text := 'api_requests_' || to_char(day, 'YYYY_MM_DD');
  starts timestamptz := day::timestamp AT TIME ZONE 'UTC';
  ends timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass('public.' || part) IS NOT NULL THEN RETURN; END IF;
  -- While the default partition has rows of the day, the partition of the day cannot be made.
  IF EXISTS (SELECT 1 FROM public.api_requests_default WHERE at >= starts AND at < ends) THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE public.%I PARTITION OF public.api_requests FOR VALUES FROM (%L) TO (%L)', part, starts, ends);
END $$;

-- Drops the partitions of the days before this one. Returns their names.
CREATE FUNCTION drop_day_partitions(before date) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  part text;
BEGIN
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'public.api_requests'::regclass AND c.relname ~ '^api_requests_\d{4}_\d{2}_\d{2}$'
      AND c.relname < 'api_requests_' || to_char(before, 'YYYY_MM_DD')
    ORDER BY 1
  LOOP
    EXECUTE format('DROP TABLE public.%I', part);
    RETURN NEXT part;
  END LOOP;
END $$;

REVOKE EXECUTE ON FUNCTION make_day_partition(date) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION drop_day_partitions(date) FROM PUBLIC;

DO $$ BEGIN
  FOR ahead IN 0..2 LOOP
    PERFORM make_day_partition((now() AT TIME ZONE 'UTC')::date + ahead);
  END LOOP;
END $$;
