/**
 * What changes while a page is open: `text/event-stream`. Every event has an id; a browser that comes back names the
 * last one it saw (Last-Event-ID) and gets what it missed. An event says how a thing is now, so one that comes twice
 * changes nothing.
 */
import { z } from 'zod';
import { deviceStates } from '../devices/device-states.js';
import { deviceId } from '../fields/id-fields.js';
import { job } from '../messages/job.js';

export const liveEvents = {
  /** A message was accepted or moved. */
  message: job,
  /** A device changed its state, its code or its settings: read it again. */
  device: z.object({ device_id: deviceId, state: z.enum(deviceStates) }),
  /** Plan, period or money changed: read them again. */
  account: z.object({}),
  /** More happened than is worth telling, or too long ago: read everything on the page again. */
  resync: z.object({}),
} as const;

export type LiveEvent = {
  [K in keyof typeof liveEvents]: { event: K; data: z.output<(typeof liveEvents)[K]> };
}[keyof typeof liveEvents];
