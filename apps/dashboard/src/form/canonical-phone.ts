/** Only the fields that read a number load this: the rules of all countries are large. */
import { canonicalNumber, setLocalCountry } from '@kurir/contracts/dashboard';

export function canonicalPhone(text: string, country: string): string {
  setLocalCountry(country);
  return canonicalNumber(text.trim());
}
