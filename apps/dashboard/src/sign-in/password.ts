import { z } from 'zod';

/** The gateway's own limit. The form checks it first, so that the person gets the sentence at once. */
const passwordMinLength = 10;

export const newPassword = (tooShort: string) => z.string().min(passwordMinLength, tooShort);
