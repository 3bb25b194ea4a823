import { z } from 'zod';

/** True for a name of the IANA database, such as `Asia/Jakarta`. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const timeZoneField = z
  .string()
  .refine(isTimeZone, 'must be a time zone of the IANA database, such as Asia/Jakarta')
  .meta({ example: 'Asia/Makassar' });
