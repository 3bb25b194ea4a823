/**
 * Reads phone numbers as people write them: 0812…, +62 (0)812-…, 62812…, or 812… where a spreadsheet has dropped the zero.
 * A text with a plus sign or two zeros has a country code. For any other text, the country decides.
 */
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';
import type { PhoneReason } from './phone-reasons.js';

/** `phone` is digits with the country code, without a plus sign. */
export type ParsedPhone =
  | { readonly ok: true; readonly phone: string }
  | { readonly ok: false; readonly reason: PhoneReason };

/** True for a country code of ISO 3166 with phone numbers, such as `ID`. */
export const isCountry = (code: string): boolean => isSupportedCountry(code);

/** All such codes, in alphabetical order. */
export const countries: readonly string[] = getCountries().toSorted();

const canonical = /^[1-9][0-9]{6,14}$/;
const scientific = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
/** A program that took the number for a decimal one has added this. No digit is lost. */
const decimalZeros = /^(\+?\d{7,})[.,]0+$/;

/** The longest text that can be a number. Longer ones are not looked at. */
const maxLength = 64;
/** A country code and a number together, with two zeros and a trunk zero. */
const maxDigits = 18;

/** The beginning of mobile numbers without the zero that a spreadsheet drops, in countries where it cannot be a country code. */
const mobileWithoutZero: Partial<Record<string, RegExp>> = { ID: /^8[1-9]/ };

/** Removes what spreadsheets and people put around a number: `="0812"`, `'0812`, `(0)` after a country code. */
function unwrap(text: string): string {
  const bare = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .replace(/^(?:tel|wa|whatsapp):\s*/i, '')
    .trim();
  return bare.replace(decimalZeros, '$1').replace(/^((?:\+|00)[\d\s.-]+)\(0\)/, '$1');
}

function readAs(text: string, country?: CountryCode): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(text, { extract: false, ...(country && { defaultCountry: country }) });
  return number?.ext === undefined ? number : undefined;
}

/** A number without a plus sign and without a leading zero may have a country code, or may have lost its zero. */
function readBare(digits: string, country: CountryCode): PhoneNumber | undefined {
  const withCode = readAs(`+${digits}`);
  if (digits.startsWith(getCountryCallingCode(country)) && withCode?.isValid()) return withCode;
  const national = readAs(digits, country);
  if (mobileWithoutZero[country]?.test(digits) && national?.isValid()) return national;
  if (withCode?.isValid()) return withCode;
  if (national?.isValid()) return national;
  return withCode?.isPossible() ? withCode : national;
}

const lengthReasons: Partial<Record<string, PhoneReason>> = {
  TOO_SHORT: 'too_short',
  TOO_LONG: 'too_long',
  NOT_A_NUMBER: 'not_a_number',
  INVALID_LENGTH: 'not_possible',
};

function reasonOf(text: string, country: CountryCode): PhoneReason {
  const length = validatePhoneNumberLength(text, country);
  return (length === undefined ? undefined : lengthReasons[length]) ?? 'not_possible';
}

/** Returns the number in its one form, or why the text is none. `country` is a code of ISO 3166 such as `ID`. */
export function parsePhone(text: string, country: string): ParsedPhone {
  if (!isSupportedCountry(country)) throw new RangeError(`${country} is no country with phone numbers`);
  const given = unwrap(text.slice(0, maxLength + 1));
  if (given === '') return { ok: false, reason: 'empty' };
  if (scientific.test(given)) return { ok: false, reason: 'ruined_by_excel' };
  const digits = given.replace(/\D/g, '');
  if (/[^\d\s+().\-/\u2010-\u2015]/.test(given)) return { ok: false, reason: 'not_a_number' };
  if (digits.length > maxDigits || text.length > maxLength) return { ok: false, reason: 'too_long' };
  const international = given.replace(/^00(?=[1-9])/, '+');
  const isBare = !/^\D*[+0]/.test(international);
  const number = isBare ? readBare(digits, country) : readAs(international, country);
  const phone = number?.number.slice(1);
  if (phone !== undefined && canonical.test(phone) && number?.isPossible()) return { ok: true, phone };
  return { ok: false, reason: reasonOf(isBare ? digits : international, country) };
}
