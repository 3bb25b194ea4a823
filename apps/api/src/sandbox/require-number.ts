import { ApiError, canonicalNumber, isRecipientNumber, withCountry } from '@kurir/contracts';

export function requireNumber(text: string, country: string): string {
  const number = withCountry(country, () => canonicalNumber(text));
  if (isRecipientNumber(number)) return number;
  throw new ApiError(
    'INVALID_PHONE_NUMBER',
    'This is not a possible phone number. Write it such as 0812 3456 7890 or +62 812 3456 7890.',
  );
}
