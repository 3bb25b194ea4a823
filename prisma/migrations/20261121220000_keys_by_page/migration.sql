-- Old keys are found page by page. Once freed space is used again, old and new stand in the same ranges, and this index
-- leads to all of them.
DROP INDEX "request_keys_created_at_idx";
