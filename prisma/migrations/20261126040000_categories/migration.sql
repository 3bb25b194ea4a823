-- The purpose of a message: 0 authentication, 1 transactional, 2 marketing. An api of an earlier version stores none.
ALTER TABLE "messages" ADD COLUMN "category" SMALLINT NOT NULL DEFAULT 1;
