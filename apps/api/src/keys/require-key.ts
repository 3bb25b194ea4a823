import { ApiError } from '@kurir/contracts';
import { isAllowListEntry } from '../signatures/ip-allow-list.js';

export const keyNotFound = () =>
  new ApiError(
    'KEY_NOT_FOUND',
    'The account has no live key with this id. It may be revoked. Choose one from the list of keys.',
  );

/** Throws 422 with the index of the first entry that is neither an address nor a CIDR range. */
export function checkAllowList(entries: readonly string[] | undefined): void {
  const wrong = (entries ?? []).findIndex((entry) => !isAllowListEntry(entry));
  if (wrong === -1) return;
  throw new ApiError('INVALID_REQUEST', `allowed_ips[${wrong}]: must be an IP address or a range like 203.0.113.0/24.`);
}
