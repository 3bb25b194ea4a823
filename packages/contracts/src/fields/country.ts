import { z } from 'zod';

export const countryField = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be a country code of two letters, such as ID')
  .meta({ description: 'A code of ISO 3166.', example: 'ID' });
