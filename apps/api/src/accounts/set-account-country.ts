import { ApiError } from '@kurir/contracts';
import { writeCountry } from '@kurir/database/contacts';
import { isCountry } from '@kurir/phone-numbers';
import type { Handler } from '../operations/operation-request.js';

export const setAccountCountry: Handler<'setAccountCountry'> = async ({ caller, auditAs, body }, { database }) => {
  const { country } = body;
  if (!isCountry(country)) throw new ApiError('INVALID_REQUEST', `country: no phone numbers belong to ${country}.`);
  await writeCountry(database, caller.accountId, country, auditAs('account.country_changed'));
  return { country };
};
