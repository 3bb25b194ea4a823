import { z } from 'zod';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { limits } from '../http/limits.js';

export const accountName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(limits.accountNameMaxLength)
  .refine(isStorableText, notStorable);
