-- So many recipients whose message failed, or has an unknown outcome, are still to get another one. Each step of the broadcast
-- moves a part of them.
ALTER TABLE "broadcasts" ADD COLUMN "again_failed" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "again_unknown" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "broadcasts" ADD CONSTRAINT "broadcasts_again_check" CHECK ("again_failed" >= 0 AND "again_unknown" >= 0);
