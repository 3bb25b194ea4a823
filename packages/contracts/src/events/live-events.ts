/**
 * The events of a `text/event-stream`, for changes while a page is open. Every event has an id. A browser that comes back
 * names the last id that it saw (Last-Event-ID) and gets the events that it missed. An event holds the present state of a
 * thing, so an event that arrives twice changes nothing.
 */
import { z } from 'zod';
import { broadcastId } from '../broadcasts/broadcast-fields.js';
import { conversationId } from '../conversations/shown-content.js';
import { deviceStates } from '../devices/device-states.js';
import { deviceId } from '../fields/id-fields.js';
import { job } from '../messages/job.js';

export const liveEvents = {
  /** A message was accepted or moved. */
  message: job,
  /** Some message was accepted or moved. An agent may not know which, and the page reads the open conversation again. */
  messages: z.object({}),
  /** A device changed its state, its code or its settings. The page reads the device again. */
  device: z.object({ device_id: deviceId, state: z.enum(deviceStates) }),
  /** A person wrote, or changed or marked what stood there. The page reads the conversation again. */
  conversation: z.object({ conversation_id: conversationId }),
  /** A broadcast has another state. The page reads it again. */
  broadcast: z.object({ broadcast_id: broadcastId }),
  /** The plan, the period or the money changed. The page reads them again. */
  account: z.object({}),
  /** Somebody has a new notice, or has read one. The page reads its own again. */
  notices: z.object({}),
  /** The browser missed too much, or for too long. The page reads everything again. */
  resync: z.object({}),
} as const;

export type LiveEvent = {
  [K in keyof typeof liveEvents]: { event: K; data: z.output<(typeof liveEvents)[K]> };
}[keyof typeof liveEvents];
