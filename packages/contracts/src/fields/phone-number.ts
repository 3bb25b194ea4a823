import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const digits = /^[1-9][0-9]{6,14}$/;

/** True for digits with a country code, without a leading 0, and with a length that the country uses. */
export function isRecipientNumber(text: string): boolean {
  if (!digits.test(text)) return false;
  // The library's isPossiblePhoneNumber does the same, but copies its options twice.
  return parsePhoneNumberFromString(`+${text}`, { extract: false })?.isPossible() ?? false;
}
