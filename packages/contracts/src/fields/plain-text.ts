import { z } from 'zod';

/** No U+0000 and nothing long: what is compared with stored text must be text that could be stored. */
export const plainText = z.string().regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 plain characters');
