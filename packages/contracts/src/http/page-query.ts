import { z } from 'zod';
import { limits } from './limits.js';

export const pageLimit = z.coerce.number().int().min(1).max(limits.listMaxMessages).optional();

/** Opaque to who asks: the last line's key. */
export const pageCursor = z
  .string()
  .regex(/^[0-9A-Za-z_.-]{1,64}$/, 'must be a next_cursor of an earlier answer')
  .optional();

/** A page of a list, newest first. */
export const pageQuery = z
  .object({ limit: pageLimit, cursor: pageCursor })
  .transform((query) => ({ limit: query.limit ?? limits.listDefaultMessages, cursor: query.cursor ?? null }));
