import { z } from 'zod';
import { isDeviceId } from '../fields/id-forms.js';
import { limits } from '../http/limits.js';
import { type EventType, eventTypeNames, isEventType } from './event-types.js';

const types = z
  .string()
  .transform((text) => text.split(','))
  .refine((names) => names.every(isEventType), {
    message: `must be event types with commas between, such as ${eventTypeNames[2]},${eventTypeNames[3]}`,
  })
  .meta({
    description: 'Only events of these types, separated by commas.',
    example: 'message.delivered,message.failed',
  });

const after = z
  .string()
  .regex(/^[0-9a-z-]{1,80}$/, 'must be a next_cursor of an earlier answer, or `earliest`')
  .meta({
    description: 'The `next_cursor` of the page before. `earliest`: begin with the oldest event. Left out: begin now.',
  });

export const feedQuery = z
  .object({
    after: after.optional(),
    limit: z.coerce.number().int().min(1).max(limits.feedMaxEvents).optional(),
    types: types.optional(),
    device_id: z.string().refine(isDeviceId, 'must be the id of a device').optional(),
    wait: z.coerce.number().int().min(0).max(limits.feedMaxWaitSeconds).optional().meta({
      description: 'If there is no event yet, the answer waits for one, up to this many seconds.',
    }),
  })
  .transform((query) => ({
    after: query.after ?? null,
    limit: query.limit ?? limits.feedDefaultEvents,
    // `refine` above saw that each is an event type.
    types: query.types === undefined ? null : new Set(query.types as EventType[]),
    deviceId: query.device_id ?? null,
    waitSeconds: query.wait ?? 0,
  }));

export const recentEventsQuery = z
  .object({
    types: types.optional(),
    device_id: z.string().refine(isDeviceId, 'must be the id of a device').optional(),
    cursor: z
      .string()
      .regex(/^[0-9a-z-]{1,80}$/, 'must be a next_cursor of an earlier answer')
      .optional(),
  })
  .transform((query) => ({
    types: query.types === undefined ? null : new Set(query.types as EventType[]),
    deviceId: query.device_id ?? null,
    cursor: query.cursor ?? null,
  }));
