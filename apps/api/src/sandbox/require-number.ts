import { ApiError, isRecipientNumber } from '@kurir/contracts';

export function requireNumber(number: string): string {
  if (isRecipientNumber(number)) return number;
  throw new ApiError('INVALID_PHONE_NUMBER', 'This is not a possible phone number. Give digits with the country code.');
}
