import { z } from 'zod';
import { isDisplayName, notADisplayName } from '../fields/display-name.js';

/** Why an operator has suspended an account, in up to 200 characters. The members of the account read it. */
export const suspensionReason = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200)
  .refine(isDisplayName, notADisplayName);
