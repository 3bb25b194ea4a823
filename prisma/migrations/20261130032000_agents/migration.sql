-- Agents only read conversations and answer in them.
ALTER TABLE "members" DROP CONSTRAINT "members_role_check",
  ADD CONSTRAINT "members_role_check" CHECK ("role" IN ('agent', 'viewer', 'developer', 'owner'));
ALTER TABLE "invitations" DROP CONSTRAINT "invitations_role_check",
  ADD CONSTRAINT "invitations_role_check" CHECK ("role" IN ('agent', 'viewer', 'developer', 'owner'));
