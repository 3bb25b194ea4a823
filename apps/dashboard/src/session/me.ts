/** The signed-in person and their rights. */
import type { DashboardData, MemberRole } from '@kurir/contracts/dashboard';
import { memberRoles } from '@kurir/contracts/dashboard';
import { useSuspenseQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';

export type Me = DashboardData<'readMe'>;

export const meQuery = { ...readQuery('readMe', {}), staleTime: 60_000 };

/** Use this only below the `signed-in` route, which reads the person first. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

export const isAtLeast = (role: MemberRole, needed: MemberRole): boolean =>
  memberRoles.indexOf(role) >= memberRoles.indexOf(needed);

/** Whether the person may answer in conversations. Viewers may not. */
export const useMayAnswer = (): boolean => {
  const { role } = useMe().account;
  return role === 'agent' || isAtLeast(role, 'developer');
};

/** Whether the person's role is at least `needed`. The gateway decides; this check only avoids a refusal. */
export const useMay = (needed: MemberRole): boolean => isAtLeast(useMe().account.role, needed);
