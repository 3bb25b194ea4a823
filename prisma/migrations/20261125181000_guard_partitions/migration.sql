-- Anybody who could log in could drop the partition of a month. Now only the owner and the role of the programs may call
-- these functions.
REVOKE EXECUTE ON FUNCTION make_month_partition(text, text, text, text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION drop_month_partition(text, boolean) FROM PUBLIC;
