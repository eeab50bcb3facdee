-- AlterTable
ALTER TABLE "calls" ADD COLUMN     "recording_gone_at" BIGINT;
