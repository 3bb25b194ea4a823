/**
 * The bodies of send and bulk: untrusted JSON in the specification's snake_case becomes a `SendInput`.
 * Unknown fields are refused by name; the text is never trimmed or normalised.
 */
import { z } from 'zod';
import { clientRef } from '../fields/client-ref.js';
import { phoneDestination } from '../fields/phone-destination.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { limits } from '../http/limits.js';
import { type Content, textContent } from './content.js';
import { type MessagePriority, messagePriorities } from './message-priorities.js';

/** Counts code points without building an array: UTF-16 units less one for each surrogate pair. */
function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count--;
  return count;
}

const messageText = z
  .string()
  .min(1, 'must not be empty')
  .refine(isStorableText, notStorable)
  .refine(
    (text) => text.length <= limits.messageMaxCodePoints || countCodePoints(text) <= limits.messageMaxCodePoints,
    {
      message: `must be at most ${limits.messageMaxCodePoints} characters (code points)`,
    },
  )
  .meta({
    description: `The text, 1 to ${limits.messageMaxCodePoints} code points, sent exactly as given.`,
    example: 'Your code is 493021',
  });

/** That it lies in the past is checked when a message is stored: the repeat of an accepted one still has its first answer. */
const sendAt = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 time with offset, like 2026-11-21T09:00:00Z' })
  .refine((text) => Date.parse(text) <= Date.now() + limits.sendAtMaxDays * 86_400_000, {
    message: `must lie at most ${limits.sendAtMaxDays} days ahead`,
  })
  .meta({ description: `When to send, up to ${limits.sendAtMaxDays} days ahead.`, example: '2026-11-21T09:00:00Z' });

export const sendFields = z
  .strictObject({
    message: messageText,
    phone_destination: phoneDestination,
    client_ref: clientRef.optional(),
    priority: z
      .enum(messagePriorities)
      .optional()
      .meta({ description: 'otp goes before normal, normal before bulk. Default normal.' }),
    ttl_seconds: z
      .int()
      .min(limits.ttlMinSeconds)
      .max(limits.ttlMaxSeconds)
      .optional()
      .meta({
        description: `Not sent later than this after send_at or acceptance. An otp defaults to ${limits.otpDefaultTtlSeconds}.`,
      }),
    send_at: sendAt.optional(),
  })
  .meta({ id: 'SendRequest' });

export type SendInput = {
  readonly content: Content;
  readonly recipient: string;
  readonly clientRef: string | null;
  readonly priority: MessagePriority;
  readonly ttlSeconds: number | null;
  readonly sendAt: Date | null;
};

/** An otp is worthless soon; nothing else expires without a wish. */
export const defaultTtlSeconds = (priority: MessagePriority = 'normal'): number | null =>
  priority === 'otp' ? limits.otpDefaultTtlSeconds : null;

export const sendInputOf = (body: z.output<typeof sendFields>): SendInput => ({
  content: textContent(body.message),
  recipient: body.phone_destination,
  clientRef: body.client_ref ?? null,
  priority: body.priority ?? 'normal',
  ttlSeconds: body.ttl_seconds ?? defaultTtlSeconds(body.priority),
  sendAt: body.send_at === undefined ? null : new Date(body.send_at),
});

export const sendRequest = sendFields.transform(sendInputOf);

/** Each element is parsed by `sendRequest` on its own, so that one bad message does not refuse the others. */
export const bulkRequest = z
  .strictObject({
    messages: z
      .array(z.unknown().meta({ override: { $ref: '#/components/schemas/SendRequest' } }))
      .min(1)
      .max(limits.bulkMaxMessages),
  })
  .meta({ id: 'BulkRequest' });
