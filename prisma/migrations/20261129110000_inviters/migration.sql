-- The person who invited. Null: an earlier version wrote the invitation.
ALTER TABLE "invitations" ADD COLUMN "invited_by" TEXT;
