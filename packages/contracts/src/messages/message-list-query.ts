import { z } from 'zod';
import { isMessageId } from '../fields/id-forms.js';
import { limits } from '../http/limits.js';
import { messageSearchFields, messageSearchOf, timeOf, updatedSince } from './message-filter.js';

const jobIds = z
  .string()
  .transform((text) => text.split(','))
  .refine((ids) => ids.length <= limits.listMaxMessages && ids.every(isMessageId), {
    message: `must be 1 to ${limits.listMaxMessages} job ids with commas between`,
  })
  .meta({
    description: `Up to ${limits.listMaxMessages} job ids, separated by commas. The answer leaves out ids that the account does not have.`,
    example: 'msg_01kajp4m3s5y8zt0v6qk2c9hbe',
  });

export const messageListQuery = messageSearchFields
  .extend({
    job_ids: jobIds.optional(),
    updated_since: updatedSince,
    limit: z.coerce.number().int().min(1).max(limits.listMaxMessages).optional(),
    cursor: z
      .string()
      .regex(/^[0-9]{1,18}$/, 'must be a next_cursor of an earlier answer')
      .optional(),
  })
  .transform((query) => ({
    ...messageSearchOf(query),
    jobIds: query.job_ids ?? null,
    updatedSince: timeOf(query.updated_since),
    limit: query.limit ?? (query.job_ids === undefined ? limits.listDefaultMessages : limits.listMaxMessages),
    cursor: query.cursor ?? null,
  }));
