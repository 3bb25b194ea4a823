/** The bodies and queries of suppressions and of opting out. */
import { z } from 'zod';
import { hasAtMost } from '../fields/code-points.js';
import { phoneDestination } from '../fields/phone-destination.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { limits } from '../http/limits.js';
import { pageCursor, pageLimit } from '../http/page-query.js';
import { type OptOutSettings, optOutWordMaxLength, plainWord } from './opt-out.js';
import { givenSuppressionReasons, suppressionReasons, suppressionScopes } from './suppression-words.js';

const scopeField = z.enum(suppressionScopes);

/** Each reason with its sentence, for the documents. */
const sentences = (reasons: readonly (keyof typeof suppressionReasons)[]) =>
  reasons.map((reason) => `\`${reason}\`: ${suppressionReasons[reason]}`).join(' ');

function checkPhones(
  { phone, phones }: { phone?: string | undefined; phones?: string[] | undefined },
  context: z.RefinementCtx,
): void {
  if ((phone === undefined) !== (phones === undefined)) return;
  const [path, message] =
    phone === undefined ? ['phone', 'is required, unless there is phones'] : ['phones', 'does not go with phone'];
  context.addIssue({ code: 'custom', path: [path], message });
}

export const addSuppressionsRequest = z
  .strictObject({
    phone: phoneDestination.optional(),
    phones: z
      .array(phoneDestination)
      .min(1)
      .max(limits.suppressionsMax)
      .optional()
      .meta({ description: `1 to ${limits.suppressionsMax} numbers. One that is not possible refuses all of them.` }),
    scope: scopeField.optional().meta({
      description: '`marketing` (default): they get no messages of this category. `all`: they get nothing.',
    }),
    reason: z
      .enum(givenSuppressionReasons)
      .optional()
      .meta({ description: `The default is \`manual\`. ${sentences(givenSuppressionReasons)}` }),
  })
  .superRefine(checkPhones)
  .meta({ id: 'AddSuppressionsRequest' })
  .transform(({ phone, phones, scope, reason }) => ({
    phones: phones ?? (phone === undefined ? [] : [phone]),
    scope: scope ?? ('marketing' as const),
    reason: reason ?? ('manual' as const),
  }));

export const suppressionsQuery = z
  .object({
    phone: phoneDestination.optional().meta({
      description: 'Only this number. It finds the number also after its erasure.',
      example: '6281234567890',
    }),
    scope: scopeField.optional(),
    limit: pageLimit,
    cursor: pageCursor,
  })
  .transform((query) => ({
    phone: query.phone ?? null,
    scope: query.scope ?? null,
    limit: query.limit ?? limits.listDefaultMessages,
    cursor: query.cursor ?? null,
  }));

export const removeSuppressionQuery = z
  .object({ scope: scopeField.optional().meta({ description: 'Without it, both scopes are removed.' }) })
  .transform((query) => ({ scope: query.scope ?? null }));

const words = z
  .array(
    z
      .string()
      .max(optOutWordMaxLength)
      .refine(isStorableText, notStorable)
      .refine((word) => plainWord(word) !== '', 'must have a letter or a digit'),
  )
  .min(1)
  .max(limits.optOutWordsMax);

const reply = z
  .string()
  .min(1, 'must not be empty; null means no reply')
  .refine(isStorableText, notStorable)
  .refine((text) => hasAtMost(limits.optOutReplyMaxCodePoints, text), {
    message: `must be at most ${limits.optOutReplyMaxCodePoints} characters (code points)`,
  })
  .nullable();

const optOutFields = z.strictObject({
  stop_words: words.meta({
    description: 'A person who writes one of these words, and nothing else, opts out of marketing.',
    example: ['STOP', 'BERHENTI'],
  }),
  start_words: words.meta({ description: 'One of these words opts in again.', example: ['START', 'MULAI'] }),
  stop_reply: reply.meta({ description: 'The reply to a person who opted out. Null: none.' }),
  start_reply: reply.meta({ description: 'The reply to a person who opted in again. Null: none.' }),
});

export const optOut = optOutFields.meta({ id: 'OptOut' });

function checkWords({ stop_words: stop, start_words: start }: z.output<typeof optOut>, context: z.RefinementCtx): void {
  const stopWords = new Set(stop.map(plainWord));
  const both = start.findIndex((word) => stopWords.has(plainWord(word)));
  if (both === -1) return;
  context.addIssue({ code: 'custom', path: ['start_words', both], message: 'must not be one of stop_words' });
}

export const setOptOutRequest = optOutFields
  .superRefine(checkWords)
  .meta({ id: 'SetOptOutRequest' })
  .transform(
    (body): OptOutSettings => ({
      stopWords: body.stop_words,
      startWords: body.start_words,
      stopReply: body.stop_reply,
      startReply: body.start_reply,
    }),
  );
