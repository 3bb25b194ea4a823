/** The phones of the simulated network, for the sandbox. */
import { z } from 'zod';
import { deviceId, jobId } from '../fields/id-fields.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { pageCursor } from '../http/page-query.js';
import { deviceStates } from '../devices/device-states.js';

const phone = z.object({
  number: z.string(),
  /** How many messages from the account's devices the simulated network still has. */
  messages: z.int(),
  last_message_at: timestamp.nullable(),
  /** The newest text that arrived from the account's devices. Null: nothing arrived lately. */
  last_text: z.string().nullable(),
});

const phonesQuery = z
  .object({
    /** Digits that the number contains. */
    q: z
      .string()
      .max(limits.phoneSearchMaxLength)
      .transform((text) => text.replaceAll(/\D/g, '').replace(/^0+/, ''))
      .optional(),
    limit: z.coerce.number().int().min(1).max(limits.phonesMax).optional(),
    cursor: pageCursor,
  })
  .transform(({ q, limit, cursor }) => ({
    search: q === undefined || q === '' ? null : q,
    limit: limit ?? limits.phonesMax,
    cursor: cursor ?? null,
  }));

const phoneMessage = z.object({
  network_message_id: z.string(),
  /** Null: the phone wrote the message. */
  job_id: jobId.nullable(),
  direction: z.enum(['to_phone', 'from_phone']),
  device_id: deviceId,
  text: z.string(),
  at: timestamp,
});

export const phoneOperations = {
  pretendScan: {
    method: 'POST',
    path: '/app/api/devices/{device_id}/scan',
    summary: 'Sandbox: let a simulated phone scan or type the code that the device shows now.',
    access: 'developer',
    audit: null,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId, state: z.enum(deviceStates) }),
    message: 'Code used',
    errors: ['DEVICE_NOT_FOUND', 'DEVICE_NOT_PAIRING', 'NOT_IN_SANDBOX', 'DEVICE_TIMEOUT'],
  },
  listPhones: {
    method: 'GET',
    path: '/app/api/handset',
    summary: 'Sandbox: list the simulated phones that the account’s devices wrote to, latest first.',
    access: 'viewer',
    audit: null,
    body: null,
    query: phonesQuery,
    data: z.object({ phones: z.array(phone), next_cursor: z.string().nullable() }),
    message: 'Phones listed',
    errors: ['NOT_IN_SANDBOX'],
  },
  readPhone: {
    method: 'GET',
    path: '/app/api/handset/{number}',
    summary: 'Sandbox: read the screen of a phone: the conversation with the account’s devices, and who is typing.',
    access: 'viewer',
    audit: null,
    body: null,
    query: null,
    data: z.object({
      number: z.string(),
      /** Only the newest ones, oldest first. */
      messages: z.array(phoneMessage),
      /** The account’s devices that are typing to the phone now. */
      typing: z.array(deviceId),
    }),
    message: 'Phone found',
    errors: ['NOT_IN_SANDBOX', 'INVALID_PHONE_NUMBER'],
  },
  writeFromPhone: {
    method: 'POST',
    path: '/app/api/handset/{number}/messages',
    summary: 'Sandbox: let the phone write to one of the account’s devices.',
    access: 'developer',
    audit: null,
    body: z
      .strictObject({
        device_id: z.string(),
        text: z.string().min(1).max(limits.messageMaxCodePoints).refine(isStorableText, notStorable),
      })
      .transform((body) => ({ deviceId: body.device_id, text: body.text })),
    query: null,
    data: phoneMessage,
    message: 'Message written',
    errors: ['NOT_IN_SANDBOX', 'INVALID_PHONE_NUMBER', 'DEVICE_NOT_FOUND', 'DEVICE_NOT_LINKED'],
  },
} as const satisfies Record<string, OperationForPeople>;
