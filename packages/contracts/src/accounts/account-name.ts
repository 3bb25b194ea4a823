import { z } from 'zod';
import { isDisplayName, notADisplayName } from '../fields/display-name.js';
import { limits } from '../http/limits.js';

export const accountName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(limits.accountNameMaxLength)
  .refine(isDisplayName, notADisplayName);
