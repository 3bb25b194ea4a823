import type { DashboardData, MemberRole } from '@kurir/contracts/dashboard';

export type Member = DashboardData<'listMembers'>['members'][number];

/** `role` is null if the member is to be removed. */
export type FewerRights = { readonly member: Member; readonly role: MemberRole | null };
