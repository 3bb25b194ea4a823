/** Who is signed in, and what they may do here. */
import type { DashboardData, MemberRole } from '@kurir/contracts/dashboard';
import { memberRoles } from '@kurir/contracts/dashboard';
import { useSuspenseQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';

export type Me = DashboardData<'readMe'>;

export const meQuery = { ...readQuery('readMe', {}), staleTime: 60_000 };

/** Only below the signed-in route, whose loader has read it. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

export const isAtLeast = (role: MemberRole, needed: MemberRole): boolean =>
  memberRoles.indexOf(role) >= memberRoles.indexOf(needed);

/** Whether the person's role allows what `needed` may. The gateway decides; this only spares a refusal. */
export const useMay = (needed: MemberRole): boolean => isAtLeast(useMe().account.role, needed);
