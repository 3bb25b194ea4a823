/**
 * An act of a person in a chat with a device, beyond writing a plain text. The fields are those of the body of
 * `POST /phones/{number}/messages`, of the journal and of the frame `inbound`.
 */
import type { InboundContent, InboundReport, Person } from '@kurir/network';
import { z } from 'zod';

const networkId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const name = z.string().max(100);

const media = z.object({
  mimeType: z.string().nullable().default(null),
  sizeBytes: z.number().int().nullable().default(null),
  fileName: z.string().nullable().default(null),
  sha256: z.string().nullable().default(null),
  seconds: z.number().nullable().default(null),
  width: z.number().int().nullable().default(null),
  height: z.number().int().nullable().default(null),
  reference: z.string().nullable().default(null),
});

const content = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['image', 'video', 'audio', 'voice', 'document', 'sticker']),
    text: z.string().nullable().default(null),
    media,
  }),
  z.object({
    type: z.literal('location'),
    text: z.string().nullable().default(null),
    location: z.object({
      latitude: z.number(),
      longitude: z.number(),
      name: z.string().nullable().default(null),
      address: z.string().nullable().default(null),
      live: z.boolean().default(false),
    }),
  }),
  z.object({
    type: z.literal('contacts'),
    contacts: z.array(z.object({ name: z.string().nullable(), phones: z.array(z.string()) })),
  }),
  z.object({
    type: z.literal('poll'),
    poll: z.object({ question: z.string(), options: z.array(z.string()), choices: z.number().int() }),
  }),
  z.object({ type: z.literal('unsupported'), rawType: z.string(), text: z.string().nullable().default(null) }),
]);

export const reportKinds = ['message', 'edited', 'deleted', 'reaction', 'undecryptable', 'sent-elsewhere'] as const;

export const personReport = z.object({
  kind: z.enum(reportKinds).default('message'),
  /** How the network shows the person: by number, by an id of its own, or by both. */
  shown_by: z.enum(['number', 'id', 'both']).default('number'),
  name: name.optional(),
  username: name.optional(),
  /** The message stands in this group. */
  group: networkId.optional(),
  /** Instead of a text. */
  content: content.optional(),
  reply_to: z.object({ network_message_id: networkId, text: z.string().optional() }).optional(),
  forwarded: z.boolean().optional(),
  /** The message that is edited, deleted or reacted to. */
  target: z.object({ network_message_id: networkId, written_by_us: z.boolean().default(false) }).optional(),
  emoji: z.string().max(20).optional(),
  /** The device was away when it was written. */
  offline: z.boolean().optional(),
});

export type PersonReport = z.infer<typeof personReport>;

const hidden = 0x5eed_c0de_1dean;
const idPrefix = 'sim:';

/** The network's own id of a person. It does not show the number, but the network knows the number by it. */
export const userIdOf = (number: string): string => idPrefix + (BigInt(number) ^ hidden).toString(36);

/** The number of a recipient, who is named by number or by id. */
export function numberOf(recipient: string): string {
  const id = recipient.slice(idPrefix.length);
  if (!recipient.startsWith(idPrefix) || !/^[0-9a-z]{1,13}$/.test(id)) return recipient;
  const value = [...id].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  return String(value ^ hidden);
}

export type WrittenFrame = {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  readonly at: string;
  readonly report?: PersonReport | undefined;
};

function personOf(from: string, report: PersonReport): Person {
  const userId = report.shown_by === 'number' ? from : userIdOf(from);
  const phone = report.shown_by === 'id' ? null : from;
  return { userId, phone, username: report.username ?? null, name: report.name ?? null };
}

/** A plain text of a person who shows the number. */
export const plainReport: PersonReport = { kind: 'message', shown_by: 'number' };

/** The report of a frame, as the driver passes it on. */
export function reportOf({ id: networkMessageId, from, text, at, report = plainReport }: WrittenFrame): InboundReport {
  const person = personOf(from, report);
  const { group, reply_to: reply, target: about } = report;
  const ofEvery = {
    networkMessageId,
    chat:
      group === undefined ? ({ id: person.userId, type: 'direct' } as const) : ({ id: group, type: 'group' } as const),
    sentAt: new Date(at),
    offline: report.offline ?? false,
  };
  const written: InboundContent = report.content ?? { type: 'text', text };
  const target = { networkMessageId: about?.network_message_id ?? '', writtenByUs: about?.written_by_us ?? false };
  const message = {
    content: written,
    replyTo: reply === undefined ? null : { networkMessageId: reply.network_message_id, text: reply.text ?? null },
    forwarded: report.forwarded ?? false,
  };
  switch (report.kind) {
    case 'message':
      return { ...ofEvery, ...message, kind: 'message', person };
    case 'sent-elsewhere':
      return { ...ofEvery, ...message, kind: 'sent-elsewhere', person: group === undefined ? person : null };
    case 'edited':
      return { ...ofEvery, kind: 'edited', person, target, content: written };
    case 'deleted':
      return { ...ofEvery, kind: 'deleted', person, target };
    case 'reaction':
      return { ...ofEvery, kind: 'reaction', person, target, emoji: report.emoji ?? null };
    case 'undecryptable':
      return { ...ofEvery, kind: 'undecryptable', person };
  }
}
