/** A phone number in a request, as people write it. Parsing turns it into digits with the country code. */
import { parsePhone } from '@kurir/phone-numbers';
import { z } from 'zod';
import { isRecipientNumber } from './phone-number.js';

/** The country of numbers without a country code, unless the caller names another. */
export const usualCountry = 'ID';

/**
 * The country of the account whose request is being parsed. A schema of zod gets nothing but its input, and parsing does
 * not wait for anything. So one variable is enough.
 */
let localCountry: string = usualCountry;

/** Runs `parse`, which must not wait. Numbers without a country code then belong to this country. */
export function withCountry<T>(country: string, parse: () => T): T {
  const before = localCountry;
  localCountry = country;
  try {
    return parse();
  } finally {
    localCountry = before;
  }
}

/** For a program with one account, such as the dashboard: all numbers without a country code belong to this country. */
export function setLocalCountry(country: string): void {
  localCountry = country;
}

/** Returns digits with the country code. A text that is no number stays as it is. */
export function canonicalNumber(text: string): string {
  // Digits alone have a country code. Read in another way, a wrong number could be that of another person.
  if (/^[1-9]\d*$/.test(text)) return text;
  const parsed = parsePhone(text, localCountry);
  return parsed.ok ? parsed.phone : text;
}

export const notANumber = 'must be a phone number, such as 0812 3456 7890 or +62 812 3456 7890';

export const phoneDestination = z
  .string()
  .overwrite(canonicalNumber)
  .refine(isRecipientNumber, { message: notANumber, params: { code: 'INVALID_PHONE_NUMBER' } })
  .meta({
    description:
      'The number as people write it, such as 0812 3456 7890 or +62 812 3456 7890. A number that begins with 0 belongs to the country of the account. Digits alone have a country code. Kurir stores digits with the country code.',
    example: '6281234567890',
  });
