import { z } from 'zod';
import { canonicalNumber } from './phone-destination.js';
import { isStorableText, notStorable } from './storable-text.js';

/** Short text without U+0000. A filter compares it with stored text, and Postgres refuses text that it could not store. */
export const plainText = z.string().regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 plain characters');

/** The same for a phone number as people write it. */
export const plainNumber = z.string().overwrite(canonicalNumber).pipe(plainText);

/** A search by a part of a name. */
export const searchText = z.string().trim().max(64).refine(isStorableText, notStorable);
