import type { DashboardData } from '@kurir/contracts/dashboard';
import type { InvitationRow, MemberRow } from '@kurir/database';

type Shown = DashboardData<'listMembers'>;

export const showMember = (member: MemberRow): Shown['members'][number] => ({
  user_id: member.userId,
  email: member.email,
  name: member.name,
  role: member.role,
  two_factor: member.twoFactor,
  joined_at: member.joinedAt.toISOString(),
});

export const showInvitation = (invitation: InvitationRow): Shown['invitations'][number] => ({
  invitation_id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});
