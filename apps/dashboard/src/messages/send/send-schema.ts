import { sendForm, setLocalCountry } from '@kurir/contracts/dashboard';

/** Numbers without a country code belong to this country. */
export function sendSchemaFor(country: string) {
  setLocalCountry(country);
  return sendForm;
}
