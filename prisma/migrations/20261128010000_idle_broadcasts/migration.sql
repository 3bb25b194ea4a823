-- A broadcast that nobody starts or resumes is cancelled some time after its last change, so that its list is forgotten.
ALTER TABLE "broadcasts" ADD COLUMN "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
-- Each recipient has a round of its own.
ALTER TABLE "broadcasts" DROP COLUMN "round";
