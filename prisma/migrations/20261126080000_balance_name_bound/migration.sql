-- The bound of a balance's name under the name of its table.
ALTER TABLE "balances" RENAME CONSTRAINT "purses_name_bounded" TO "balances_name_bounded";
