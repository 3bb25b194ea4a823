import { changeMemberRole, listMembers } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { knownKeysRule, showKnownKey } from './known-keys.js';
import { acceptMemberChange, memberNotFound } from './accept-member-change.js';
import { showMember } from './show-member.js';

export const changeRole: Handler<'changeRole'> = async ({ caller, auditAs, params, body }, { database }) => {
  const { accountId } = caller;
  const { user_id: userId } = params;
  const { role, revokeKeys } = body;
  const rule = knownKeysRule(role, revokeKeys, auditAs('key.revoked'));
  const audit = auditAs(`member.made_${role}`);
  const { keys } = acceptMemberChange(await changeMemberRole(database, accountId, userId, role, audit, rule));
  const [member] = await listMembers(database, accountId, userId);
  if (member === undefined) throw memberNotFound();
  return { ...showMember(member), keys: keys.map(showKnownKey) };
};
