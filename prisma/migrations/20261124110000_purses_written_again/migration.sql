-- A commit asks whether a purse bears what is taken, and does nothing where it does not. What journals bring back was
-- borne then, by a refund that may be in no journal: the purse owes it until that refund is made again.
ALTER TABLE "purses" DROP CONSTRAINT "purses_never_negative";
