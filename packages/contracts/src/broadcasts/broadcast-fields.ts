/** The fields of broadcasts, and the bodies and queries of their operations. */
import { z } from 'zod';
import { deviceId, jobId } from '../fields/id-fields.js';
import { isDeviceId } from '../fields/id-forms.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import { pageCursor, pageLimit } from '../http/page-query.js';
import { messageCategories } from '../messages/message-categories.js';
import { type MessageReason, messageReasons } from '../messages/message-reasons.js';
import { messageStatuses } from '../messages/message-status.js';
import { footerOf, templateFooter, templateText } from '../templates/template-fields.js';
import { audience, audienceProblem, plannedShare, rows } from './broadcast-audience.js';
import { changedRulesOf, confirmAnyHour, ruleFields, rulesOf, shownRules } from './broadcast-rules.js';
import {
  type BroadcastState,
  broadcastStates,
  type PauseReason,
  pauseReasons,
  type SkipReason,
  skipReasons,
} from './broadcast-states.js';

// The records have exactly these keys; Object.keys only knows `string`.
const stateWords = Object.keys(broadcastStates) as [BroadcastState, ...BroadcastState[]];
const pauseWords = Object.keys(pauseReasons) as [PauseReason, ...PauseReason[]];
const skipWords = Object.keys(skipReasons) as [SkipReason, ...SkipReason[]];
const reasonWords = Object.keys(messageReasons) as [MessageReason, ...MessageReason[]];

const described = (words: Readonly<Record<string, string>>) =>
  Object.entries(words)
    .map(([word, sentence]) => `\`${word}\`: ${sentence}`)
    .join(' ');

export const broadcastId = z.string().meta({ example: 'brc_01kajp4m3s5y8zt0v6qk2c9hbe' });

export const broadcast = z
  .object({
    broadcast_id: broadcastId,
    name: z.string(),
    category: z.enum(messageCategories),
    state: z.enum(stateWords).meta({ description: described(broadcastStates) }),
    paused_by: z
      .enum(pauseWords)
      .nullable()
      .meta({ description: `For \`paused\`: the reason. ${described(pauseReasons)}` }),
    device_ids: z.array(deviceId),
    pace_per_minute: z.int().nullable().meta({ description: 'Null: only the devices have a pace.' }),
    send_at: timestamp.nullable(),
    recipients: z.int().meta({ description: 'All rows of the list, also those that get no message.' }),
    planned_share: plannedShare,
    audience_problem: audienceProblem,
    created_at: timestamp,
    started_at: timestamp.nullable(),
    ended_at: timestamp.nullable().meta({ description: 'When nothing was left to do.' }),
    ...shownRules,
  })
  .meta({ id: 'Broadcast' });

const byReason = <W extends string>(words: [W, ...W[]], what: string) =>
  z.array(z.object({ reason: z.enum(words), count: z.int() })).meta({ description: what });

/** Each recipient is counted once. */
const counts = z
  .object({
    pending: z.int().meta({ description: 'Recipients whose message has not been released.' }),
    skipped: byReason(skipWords, `Recipients without a message, by reason. ${described(skipReasons)}`),
    messages: z.partialRecord(z.enum(messageStatuses), z.int()).meta({ description: 'Messages, by status.' }),
    failed: byReason(reasonWords, 'Failed messages, by reason.'),
  })
  .meta({ id: 'BroadcastCounts' });

export const countedBroadcast = z
  .object({
    broadcast,
    counts,
    text: z
      .object({ message: z.string(), footer: z.string().nullable() })
      .nullable()
      .meta({ description: 'In the language of templates. Null: erased.' }),
    rate_per_minute: z.number().nullable().meta({ description: 'Messages since the start. Null: it has not started.' }),
    ends_about: timestamp.nullable().meta({ description: 'At this rate. Null: it does not run, or nothing went out.' }),
  })
  .meta({ id: 'CountedBroadcast' });

const outcomes = ['pending', 'skipped', ...messageStatuses] as const;

export const recipient = z
  .object({
    position: z.int().meta({ description: 'The place in the list, from 1.' }),
    phone: z.string().nullable().meta({
      description: 'As it stands in the list; for a row that cannot be read, `row` and its number. Null: erased.',
    }),
    outcome: z.enum(outcomes),
    reason: z.enum([...skipWords, ...reasonWords]).nullable(),
    job_id: jobId.nullable(),
    device_id: deviceId.nullable(),
  })
  .meta({ id: 'BroadcastRecipient' });

export const checkAnswer = z
  .object({
    broadcast,
    counts,
    sendable: z.int().meta({ description: 'Recipients who would get a message now.' }),
    shares: z
      .array(z.object({ device_id: deviceId, known: z.int(), pace_per_minute: z.int().nullable() }))
      .meta({ description: 'By device, the recipients whom it knows.' }),
    new_contacts: z.int().meta({ description: 'Recipients whom no device of the broadcast knows.' }),
    remaining_quota: z.string().meta({ description: 'A number, or `Unlimited`.' }),
    samples: z.array(z.object({ phone: z.string(), text: z.string() })).meta({ description: 'The first five texts.' }),
  })
  .meta({ id: 'BroadcastCheck' });

const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(limits.broadcastNameMaxLength)
  .refine(isStorableText, notStorable)
  .meta({ example: 'Promo November' });
const deviceIds = z
  .array(z.string().refine(isDeviceId, 'must be the id of a device'))
  .min(1)
  .max(limits.broadcastMaxDevices)
  .meta({ description: 'The devices that send it. A person stays with the device that knows the person.' });
const pace = z
  .int()
  .min(1)
  .max(limits.broadcastMaxPacePerMinute)
  .nullable()
  .optional()
  .meta({ description: 'At most so many messages a minute, over all devices. Null: the devices have their own pace.' });

export const createBroadcastRequest = z
  .strictObject({
    name,
    message: templateText
      .optional()
      .meta({ description: 'The text, in the language of templates. Give this or `template_id`.' }),
    footer: templateFooter,
    template_id: z.string().optional(),
    template_version: z.int().min(1).optional().meta({ description: 'The latest, if left out.' }),
    audience: audience.optional(),
    device_ids: deviceIds,
    category: z.enum(messageCategories).optional().meta({ description: '`marketing` if left out.' }),
    send_at: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'It starts then, once you have started it.' }),
    pace_per_minute: pace,
    ...ruleFields,
  })
  .meta({ id: 'CreateBroadcastRequest' })
  .superRefine((body, context) => {
    if ((body.message === undefined) === (body.template_id === undefined))
      context.addIssue({
        code: 'custom',
        path: ['message'],
        message: 'is required, unless there is a template_id, and not both',
      });
    if (body.template_id !== undefined && (body.footer ?? null) !== null)
      context.addIssue({ code: 'custom', path: ['footer'], message: 'does not go with template_id' });
  })
  .transform((body) => ({
    name: body.name,
    message: body.message ?? null,
    footer: footerOf(body.footer),
    templateId: body.template_id ?? null,
    templateVersion: body.template_version ?? null,
    audience: body.audience ?? null,
    deviceIds: body.device_ids,
    category: body.category ?? 'marketing',
    sendAt: body.send_at === undefined ? null : new Date(body.send_at),
    pacePerMinute: body.pace_per_minute ?? null,
    ...rulesOf(body, body.category ?? 'marketing'),
  }));

export const addRecipientsRequest = z
  .strictObject({
    after: z.int().min(0).meta({ description: 'How many rows the list has so far. So a repeat adds nothing twice.' }),
    rows: rows.min(1),
  })
  .meta({ id: 'AddRecipientsRequest' });

export const updateBroadcastRequest = z
  .strictObject({
    name: name.optional(),
    device_ids: deviceIds.optional(),
    pace_per_minute: pace,
    ...ruleFields,
    confirm_any_hour: confirmAnyHour.meta({
      description: 'As at the start. Only a window for marketing that was started needs it.',
    }),
  })
  .meta({ id: 'UpdateBroadcastRequest' })
  .refine((body) => Object.keys(body).some((field) => field !== 'confirm_any_hour'), 'must name at least one field')
  .transform((body) => ({
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.device_ids === undefined ? {} : { deviceIds: body.device_ids }),
    ...(body.pace_per_minute === undefined ? {} : { pacePerMinute: body.pace_per_minute }),
    ...changedRulesOf(body),
    anyHour: body.confirm_any_hour === true,
  }));

export const startRequest = z
  .strictObject({
    confirm_any_hour: confirmAnyHour,
  })
  .meta({ id: 'StartBroadcastRequest' });

export const resumeRequest = z
  .strictObject({
    scope: z.enum(['pending', 'failed', 'unknown']).optional().meta({
      description:
        '`pending` if left out: go on. `failed`, `unknown`: send again to those whose message ended so. After `unknown`, a person may get it twice.',
    }),
  })
  .meta({ id: 'ResumeBroadcastRequest' });

export const recipientsQuery = z
  .object({ outcome: z.enum(outcomes).optional(), limit: pageLimit, cursor: pageCursor })
  .transform((query) => ({
    outcome: query.outcome ?? null,
    limit: query.limit ?? limits.listDefaultMessages,
    cursor: query.cursor ?? null,
  }));
