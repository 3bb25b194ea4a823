import type { DashboardData } from '@kurir/contracts/dashboard';

export type ApiKey = DashboardData<'listKeys'>['keys'][number];

/** Whether no owner is known to have made a key that may renew. Before keys had makers, developers could make such keys. */
export const renewsWithoutOwner = ({ scopes, created_by: maker, revoked_at: revokedAt }: ApiKey): boolean =>
  revokedAt === null && (scopes.length === 0 || scopes.includes('account:renew')) && maker?.role !== 'owner';

/** Whether the person saw a secret of the key that still works. */
export const isKnownTo = ({ revoked_at: revokedAt, secrets }: ApiKey, userId: string, now: number): boolean =>
  revokedAt === null &&
  secrets.some(
    ({ created_by: saw, expires_at: expiresAt }) =>
      saw === userId && (expiresAt === null || Date.parse(expiresAt) > now),
  );
