import { type AccountId, ApiError } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { type ContactFilter, readHome } from '@kurir/database/contacts';
import { parsePhone, phoneSentence } from '@kurir/phone-numbers';

/** Returns digits with country code, or throws 422. The country of the account decides what a local number means. */
export async function readPhoneText(database: Database, accountId: AccountId, text: string): Promise<string> {
  const parsed = parsePhone(text, (await readHome(database, accountId)).country);
  if (!parsed.ok) throw new ApiError('INVALID_PHONE_NUMBER', `phone: ${phoneSentence(parsed.reason)}`);
  return parsed.phone;
}

/** Returns the filter with its phone number in the one form, or throws 422. */
export const readFilter = async <F extends ContactFilter>(
  database: Database,
  accountId: AccountId,
  filter: F,
): Promise<F> =>
  filter.phone === null ? filter : { ...filter, phone: await readPhoneText(database, accountId, filter.phone) };
