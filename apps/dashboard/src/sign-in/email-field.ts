import { z } from 'zod';

/** The texts are those of the page. An empty field is no wrong address. */
export const emailField = (required: string, wrong: string) =>
  z.string().trim().min(1, required).pipe(z.email(wrong).max(254, wrong));
