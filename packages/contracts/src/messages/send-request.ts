/**
 * The bodies of `sendMessage` and `sendBulk`: untrusted JSON in the specification's snake_case becomes a `SendInput`.
 * A schema refuses an unknown field and names it. It never trims or normalises the text.
 */
import { z } from 'zod';
import { clientRef } from '../fields/client-ref.js';
import { hasAtMost } from '../fields/code-points.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { type ConversationId, type InboundId, isInboundId, isMessageId, type MessageId } from '../fields/id-forms.js';
import { brokenRule } from '../http/field-rules.js';
import { limits } from '../http/limits.js';
import { type Content, textContent } from './content.js';
import { defaultCategory, type MessageCategory, messageCategories } from './message-categories.js';
import { type MessagePriority, messagePriorities } from './message-priorities.js';
import { checkRecipient, recipientFields } from './recipient-fields.js';

const messageText = z
  .string()
  .min(1, 'must not be empty')
  .refine(isStorableText, notStorable)
  .refine((text) => hasAtMost(limits.messageMaxCodePoints, text), {
    message: `must be at most ${limits.messageMaxCodePoints} characters (code points)`,
    params: brokenRule('too_long', limits.messageMaxCodePoints),
  })
  .meta({
    description: `The text, 1 to ${limits.messageMaxCodePoints} code points. Kurir sends it exactly as given.`,
    example: 'Your code is 493021',
  });

/**
 * `packages/database` refuses a time in the past when it stores a new message. So a late repeat still gets its first
 * answer.
 */
const sendAt = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 time with offset, like 2026-11-21T09:00:00Z' })
  .refine((text) => Date.parse(text) <= Date.now() + limits.sendAtMaxDays * 86_400_000, {
    message: `must lie at most ${limits.sendAtMaxDays} days ahead`,
    params: brokenRule('too_far', limits.sendAtMaxDays),
  })
  .meta({
    description: `When to send the message, up to ${limits.sendAtMaxDays} days ahead.`,
    example: '2026-11-21T09:00:00Z',
  });

export const sendFields = z
  .strictObject({
    message: messageText,
    ...recipientFields,
    reply_to: z
      .string()
      .refine((id) => isInboundId(id) || isMessageId(id), 'must be a message_id or a job_id')
      .optional()
      .meta({ description: 'The message of the same chat that this one answers: a message_id or a job_id.' }),
    client_ref: clientRef.optional(),
    priority: z
      .enum(messagePriorities)
      .optional()
      .meta({ description: 'Kurir sends `otp` before `normal`, and `normal` before `bulk`. The default is `normal`.' }),
    category: z.enum(messageCategories).optional().meta({
      description:
        'The purpose of the message. A person who opted out gets no `marketing`. The default for `otp` is `authentication`; the other priorities have `transactional`.',
    }),
    ttl_seconds: z
      .int()
      .min(limits.ttlMinSeconds)
      .max(limits.ttlMaxSeconds)
      .optional()
      .meta({
        description: `Kurir does not send the message later than this many seconds after send_at, or after acceptance if there is no send_at. The default for \`otp\` is ${limits.otpDefaultTtlSeconds}; the other priorities have none.`,
      }),
    send_at: sendAt.optional(),
  })
  .meta({ id: 'SendRequest' });

export type SendInput = {
  readonly content: Content;
  /** Empty until the conversation is looked up. */
  readonly recipient: string;
  readonly clientRef: string | null;
  readonly priority: MessagePriority;
  readonly category: MessageCategory;
  readonly ttlSeconds: number | null;
  readonly sendAt: Date | null;
  /** The conversation that names the recipient. Absent: a number does. */
  readonly conversationId?: ConversationId;
  /** The id of the quoted message. */
  readonly replyTo?: InboundId | MessageId;
};

/** A one-time code is soon worthless. A message of another priority expires only if its customer asks for it. */
export const defaultTtlSeconds = (priority: MessagePriority = 'normal'): number | null =>
  priority === 'otp' ? limits.otpDefaultTtlSeconds : null;

export const sendInputOf = (body: z.output<typeof sendFields>): SendInput => ({
  content: textContent(body.message),
  recipient: body.phone_destination ?? '',
  clientRef: body.client_ref ?? null,
  priority: body.priority ?? 'normal',
  category: body.category ?? defaultCategory(body.priority ?? 'normal'),
  ttlSeconds: body.ttl_seconds ?? defaultTtlSeconds(body.priority),
  sendAt: body.send_at === undefined ? null : new Date(body.send_at),
  ...(body.conversation_id === undefined ? {} : { conversationId: body.conversation_id }),
  ...(body.reply_to === undefined ? {} : { replyTo: body.reply_to }),
});

function checkCategory({ priority, category }: z.output<typeof sendFields>, context: z.RefinementCtx): void {
  if (priority !== 'otp' || category !== 'marketing') return;
  context.addIssue({ code: 'custom', path: ['category'], message: 'must not be marketing for the priority otp' });
}

export const sendRequest = sendFields.superRefine(checkRecipient).superRefine(checkCategory).transform(sendInputOf);

/** The api parses each element with `sendRequest`, so that one bad message does not refuse the others. */
export const bulkRequest = z
  .strictObject({
    messages: z
      .array(z.unknown().meta({ override: { $ref: '#/components/schemas/SendRequest' } }))
      .min(1)
      .max(limits.bulkMaxMessages),
  })
  .meta({ id: 'BulkRequest' });
