import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const digits = /^[1-9][0-9]{6,14}$/;

/** Digits with country code, 7 to 15 of them, not starting with 0, and a length that its country uses. */
export function isRecipientNumber(text: string): boolean {
  if (!digits.test(text)) return false;
  // What the library's isPossiblePhoneNumber does, without two copies of its options.
  return parsePhoneNumberFromString(`+${text}`, { extract: false })?.isPossible() ?? false;
}
