-- The last time step of RFC 6238 whose code was accepted. Null: none yet.
ALTER TABLE "two_factors" ADD COLUMN "last_used_step" INTEGER;

-- Browsers in which a person has signed in. The browser has the token, this table its hash.
CREATE TABLE "known_browsers" (
    "token_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "known_browsers_pkey" PRIMARY KEY ("token_hash")
);
CREATE INDEX "known_browsers_user_id_idx" ON "known_browsers"("user_id");
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Browsers that better-auth let skip the second factor for thirty days. All other rows end within the hour.
DELETE FROM "verifications" WHERE "expires_at" > now() + interval '1 day';
