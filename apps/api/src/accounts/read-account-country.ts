import { readCountry } from '@kurir/database/contacts';
import { countries } from '@kurir/phone-numbers';
import type { Handler } from '../operations/operation-request.js';

export const readAccountCountry: Handler<'readAccountCountry'> = async ({ caller }, { database }) => ({
  country: await readCountry(database, caller.accountId),
  countries: [...countries],
});
