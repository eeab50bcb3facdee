-- SIP details of trunks, which reach Asterisk without a file of its own; the password is sealed.
ALTER TABLE "trunks" ADD COLUMN "sip" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN "sip_secret" TEXT NOT NULL DEFAULT '';
