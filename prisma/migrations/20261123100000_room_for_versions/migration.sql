-- Of the moves of a message's row two, the claim and `sent`, change a column that has an index (`stage`), so that every index gets an
-- entry for the new version of the row. On a full page each of them looks for dead entries to delete, or splits the page: a tenth of
-- Postgres's time while messages are sent. Ids and sequence numbers grow, so that pages fill at the right end, to nine tenths by
-- default; filled to less they have room for the versions of their rows, and take twice the disk. Of the second index that is
-- the end of the account with the greatest id, often the only one: in between pages split in halves and have that room anyway. The
-- two other indexes that the moves write are by hash and by the customer's word: their pages fill in no order and have it, too.
-- Pages that stand already stay as they are, until a REINDEX.
ALTER INDEX "messages_pkey" SET (fillfactor = 40);
ALTER INDEX "messages_account_id_seq_idx" SET (fillfactor = 40);
