import { ApiError, canonicalNumber, isRecipientNumber, notANumber, withCountry } from '@kurir/contracts';

/** The network's id of a person who hides the number, such as `lid:123`. */
const isUserId = (recipient: string): boolean => /^[a-z]+:[\x21-\x7e]{1,128}$/.test(recipient);

/** Returns the number or the user id of a path, or throws the refusal. */
export function requirePerson(phone: string, country: string): string {
  if (isUserId(phone)) return phone;
  const number = withCountry(country, () => canonicalNumber(phone));
  if (isRecipientNumber(number)) return number;
  throw new ApiError('INVALID_PHONE_NUMBER', `phone: ${notANumber}. A user_id of the list works too.`);
}
