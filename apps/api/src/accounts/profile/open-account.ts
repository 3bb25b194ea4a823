import { ApiError } from '@kurir/contracts';
import { chooseSessionAccount, listMemberships, openOwnAccount } from '@kurir/database';
import { isCountry } from '@kurir/phone-numbers';
import type { Handler } from '../../operations/operation-request.js';
import { showMe } from '../show-me.js';

export const openAccount: Handler<'openAccount'> = async ({ caller, auditAs, body }, api) => {
  const { database, trialMessages } = api;
  const { visitor } = caller;
  const { name, country } = body;
  if (country !== undefined && !isCountry(country))
    throw new ApiError('INVALID_REQUEST', `country: no phone numbers belong to ${country}.`);
  const owner = { id: visitor.user.id, name, country };
  const accountId = await openOwnAccount(database, owner, trialMessages, auditAs('account.created'));
  if (accountId === null)
    throw new ApiError('ALREADY_OWNER', 'You own an account already. Switch to it, or invite people to it.');
  await chooseSessionAccount(database, visitor.session.id, accountId);
  const memberships = await listMemberships(database, visitor.user.id);
  const opened = memberships.find((membership) => membership.accountId === accountId);
  return showMe({ ...visitor, memberships }, api, opened ?? visitor.membership);
};
