import { ApiError } from '@kurir/contracts';
import type { KeyOutcome } from '@kurir/database';
import { isAllowListEntry } from '../signatures/ip-allow-list.js';

export const keyNotFound = () =>
  new ApiError(
    'KEY_NOT_FOUND',
    'The account has no live key with this id. It may be revoked. Choose one from the list of keys.',
  );

/** A person must be able to do what the key can do: its secret is shown to them. */
export function refuseKeyOutcome(outcome: KeyOutcome): void {
  if (outcome === 'not-found') throw keyNotFound();
  if (outcome === 'not-allowed')
    throw new ApiError(
      'ROLE_NOT_ALLOWED',
      'Your role does not permit all of the scopes. Only an owner may give a key account:renew, or an empty list of scopes, which means everything.',
    );
}

/** Throws 422 with the index of the first entry that is neither an address nor a CIDR range. */
export function checkAllowList(entries: readonly string[] | undefined): void {
  const wrong = (entries ?? []).findIndex((entry) => !isAllowListEntry(entry));
  if (wrong === -1) return;
  throw new ApiError('INVALID_REQUEST', `allowed_ips[${wrong}]: must be an IP address or a range like 203.0.113.0/24.`);
}
