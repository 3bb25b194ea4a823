-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "state_detail" TEXT,
ADD COLUMN     "state_until" TIMESTAMPTZ(3);
