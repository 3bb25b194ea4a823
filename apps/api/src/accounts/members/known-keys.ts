/** The keys that a person may not know any more, after another role or the end of the membership. */
import { type MemberRole, mayKnowKey } from '@kurir/contracts/dashboard';
import type { Audit, KnownKey, KnownKeysRule } from '@kurir/database';

/** `role` is null for a person who is removed. With `revokeKeys`, the keys are revoked in the same transaction. */
export const knownKeysRule = (role: MemberRole | null, revokeKeys: boolean, audit: Audit): KnownKeysRule => ({
  mayKnow: (scopes) => role !== null && mayKnowKey(role, scopes),
  revoke: revokeKeys ? { audit } : null,
});

export const showKnownKey = ({ id, name, revoked }: KnownKey) => ({ api_key: id, name, revoked });
