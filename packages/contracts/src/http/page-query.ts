import { z } from 'zod';
import { limits } from './limits.js';

export const pageLimit = z.coerce.number().int().min(1).max(limits.listMaxMessages).optional();

/** The key of the last row of a page. The caller must not rely on its form. */
export const pageCursor = z
  .string()
  .regex(/^[0-9A-Za-z_.-]{1,64}$/, 'must be a next_cursor of an earlier answer')
  .optional();

/** The query of a list that comes in pages. */
export const pageQuery = z
  .object({ limit: pageLimit, cursor: pageCursor })
  .transform((query) => ({ limit: query.limit ?? limits.listDefaultMessages, cursor: query.cursor ?? null }));
