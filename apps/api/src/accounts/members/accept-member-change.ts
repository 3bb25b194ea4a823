import { ApiError } from '@kurir/contracts';
import type { MemberChange } from '@kurir/database';

export const memberNotFound = () =>
  new ApiError('MEMBER_NOT_FOUND', 'The account has no such member. Choose one from the list of members.');

/** Returns what changed, or throws the refusal. */
export function acceptMemberChange(change: MemberChange): Exclude<MemberChange, string> {
  if (change === 'not-found') throw memberNotFound();
  if (change === 'last-owner')
    throw new ApiError('LAST_OWNER', 'This is the account’s only owner. Make another member an owner first.');
  return change;
}
