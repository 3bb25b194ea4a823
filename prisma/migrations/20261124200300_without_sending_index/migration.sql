-- The unique index does its work.
DROP INDEX "messages_sending_idx";
