-- An audience whose reading times out again and again is given up.
ALTER TABLE "broadcast_audiences" ADD COLUMN "failed_tries" SMALLINT NOT NULL DEFAULT 0;
