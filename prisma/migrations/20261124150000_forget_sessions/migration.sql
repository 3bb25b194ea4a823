-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "forget_sessions_at" TIMESTAMPTZ(3);
