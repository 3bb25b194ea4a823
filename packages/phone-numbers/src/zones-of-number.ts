/**
 * The time zones in which the owner of a number may live. A number tells its country, or several that share a country
 * code, and never the part of a country.
 */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { countries } from './parse-phone.js';

/** The runtime has one of the two, and the types of the language have neither. */
type WithTimeZones = Intl.Locale & {
  readonly timeZones?: readonly string[];
  readonly getTimeZones?: () => readonly string[];
};

/** Territories with phone numbers that the runtime does not know, and a zone with the same clock. */
const zonesOfOthers: Readonly<Record<string, readonly string[]>> = {
  AC: ['Atlantic/St_Helena'],
  TA: ['Atlantic/St_Helena'],
  XK: ['Europe/Belgrade'],
};

const zonesByCountry = new Map<string, readonly string[]>();

/** The time zones (IANA) of a country (ISO 3166). Empty: unknown. */
export function zonesOfCountry(country: string): readonly string[] {
  const known = zonesByCountry.get(country);
  if (known !== undefined) return known;
  const locale: WithTimeZones = new Intl.Locale(`und-${country}`);
  const found = locale.timeZones ?? locale.getTimeZones?.() ?? [];
  const zones = found.length > 0 ? found : (zonesOfOthers[country] ?? []);
  zonesByCountry.set(country, zones);
  return zones;
}

/** The countries (ISO 3166) of a number that is digits with the country code, in alphabetical order. */
export function countriesOf(phone: string): readonly string[] {
  const number = parsePhoneNumberFromString(`+${phone}`);
  if (number === undefined) return [];
  return number.country === undefined ? number.getPossibleCountries().toSorted() : [number.country];
}

let countryByZone: ReadonlyMap<string, string> | null = null;

/** The runtime's own name for a zone that has several, such as `Asia/Kolkata` and `Asia/Calcutta`. */
function ownName(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return zone; // RangeError: the runtime knows no such zone
  }
}

/** Returns the country (ISO 3166) to which a time zone (IANA) belongs. Null: none, as with `UTC`. */
export function countryOfZone(zone: string): string | null {
  countryByZone ??= new Map(countries.flatMap((country) => zonesOfCountry(country).map((one) => [one, country])));
  return countryByZone.get(zone) ?? countryByZone.get(ownName(zone)) ?? null;
}
