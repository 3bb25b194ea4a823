-- AlterTable
ALTER TABLE "devices" ADD COLUMN     "replaced_at" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];
