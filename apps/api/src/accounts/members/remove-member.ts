import { removeMember as remove } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { knownKeysRule, showKnownKey } from './known-keys.js';
import { acceptMemberChange } from './accept-member-change.js';

export const removeMember: Handler<'removeMember'> = async ({ caller, auditAs, params, body }, { database }) => {
  const { accountId } = caller;
  const { user_id: userId } = params;
  const rule = knownKeysRule(null, body.revokeKeys, auditAs('key.revoked'));
  const { keys } = acceptMemberChange(await remove(database, accountId, userId, auditAs('member.removed'), rule));
  return { user_id: userId, keys: keys.map(showKnownKey) };
};
