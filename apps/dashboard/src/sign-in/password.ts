import { z } from 'zod';

/** The gateway refuses shorter ones; said here so that nobody has to be refused. */
const passwordMinLength = 10;

export const newPassword = (tooShort: string) => z.string().min(passwordMinLength, tooShort);
