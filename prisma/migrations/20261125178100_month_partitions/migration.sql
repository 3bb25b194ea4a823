-- Workers make and drop the partitions of months. Their role need not own the tables: these run as the owner. They take
-- only the two tables of months and names of months, because everybody may call them.
CREATE FUNCTION make_month_partition(parent text, month text, starts text, ends text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  kept_by text := CASE parent WHEN 'message_contents' THEN 'message_id' WHEN 'events' THEN 'at' END;
  part text := parent || '_' || month;
  has_rows boolean;
BEGIN
  IF kept_by IS NULL OR month !~ '^\d{4}_\d{2}$' THEN
    RAISE EXCEPTION 'no partition of months: % %', parent, month;
  END IF;
  IF to_regclass('public.' || part) IS NOT NULL THEN RETURN; END IF;
  -- While the default partition has rows of the month, the partition of the month cannot be made.
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE %I >= %L AND %I < %L)', parent || '_default', kept_by, starts, kept_by, ends)
    INTO has_rows;
  IF has_rows THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)', part, parent, starts, ends);
END $$;

-- Returns false if the partition has rows and must be empty.
CREATE FUNCTION drop_month_partition(part text, once_empty boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  has_rows boolean;
BEGIN
  IF part !~ '^(message_contents|events)_\d{4}_\d{2}$' THEN
    RAISE EXCEPTION 'no partition of months: %', part;
  END IF;
  IF once_empty THEN
    -- Nobody adds rows to a past month, but another worker may be erasing some.
    EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', part);
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM public.%I)', part) INTO has_rows;
    IF has_rows THEN RETURN false; END IF;
  END IF;
  EXECUTE format('DROP TABLE public.%I', part);
  RETURN true;
END $$;
