import { readHome } from '@kurir/database/contacts';
import { countries, zonesOfCountry } from '@kurir/phone-numbers';
import type { Handler } from '../operations/operation-request.js';

export const readAccountCountry: Handler<'readAccountCountry'> = async ({ caller }, { database }) => {
  const { country, timeZone } = await readHome(database, caller.accountId);
  return { country, countries: [...countries], time_zone: timeZone, time_zones: [...zonesOfCountry(country)] };
};
