import { z } from 'zod';
import { isRecipientNumber } from './phone-number.js';

export const phoneDestination = z
  .string()
  .refine(isRecipientNumber, {
    message: 'must be a possible phone number: digits with country code, no plus sign, spaces or leading 0',
    params: { code: 'INVALID_PHONE_NUMBER' },
  })
  .meta({ description: 'Digits with country code, without separators.', example: '6281234567890' });
