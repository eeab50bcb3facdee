-- Something that the first key of SECRET_KEY sealed: a start with another key finds it out before it seals anything.
CREATE TABLE "key_checks" (
    "id" INTEGER NOT NULL,
    "sealed" TEXT NOT NULL,
    "changed_at" BIGINT NOT NULL,

    CONSTRAINT "key_checks_pkey" PRIMARY KEY ("id")
);
