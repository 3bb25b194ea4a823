import { ApiError } from '@kurir/contracts';
import { writeHome } from '@kurir/database/contacts';
import { isCountry, zonesOfCountry } from '@kurir/phone-numbers';
import type { Handler } from '../operations/operation-request.js';

export const setAccountCountry: Handler<'setAccountCountry'> = async ({ caller, auditAs, body }, { database }) => {
  const { country, time_zone: timeZone = null } = body;
  if (!isCountry(country)) throw new ApiError('INVALID_REQUEST', `country: no phone numbers belong to ${country}.`);
  if (timeZone !== null && !zonesOfCountry(country).includes(timeZone))
    throw new ApiError('INVALID_REQUEST', `time_zone: ${timeZone} is no time zone of ${country}.`);
  await writeHome(database, caller.accountId, { country, timeZone }, auditAs('account.country_changed'));
  return { country, time_zone: timeZone };
};
