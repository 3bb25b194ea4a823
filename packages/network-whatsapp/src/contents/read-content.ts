/**
 * Reads what a person wrote from WhatsApp's message. A kind that is not known here becomes `unsupported` with its name
 * and with a text, if it has one. Every field may be missing, and every length may be absurd.
 */
import type { InboundContent, InboundPoll } from '@kurir/contracts';
import type { Quoted } from '@kurir/network';
import type { proto } from 'baileys';
import { contactsOf } from './contact-cards.js';
import { type FileMessage, mediaOf } from './media.js';
import { coordinate, LONGEST_TEXT, LONGEST_WORD, plainText, wholeNumber } from './plain-values.js';
import { type Message, unwrap } from './unwrap.js';

export type Written = {
  readonly content: InboundContent;
  readonly replyTo: Quoted | null;
  readonly forwarded: boolean;
};

/** Fields beside the content. Alone, they are nothing that a person wrote; files of an album come one by one. */
const BESIDE_THE_CONTENT: ReadonlySet<string> = new Set([
  'messageContextInfo',
  'senderKeyDistributionMessage',
  'fastRatchetKeySenderKeyDistributionMessage',
  'albumMessage',
]);

/** The fields in which WhatsApp's further kinds keep a text. */
const TEXT_FIELDS = [
  'text',
  'caption',
  'contentText',
  'hydratedContentText',
  'body',
  'message',
  'description',
  'title',
  'name',
];

const LONGEST_QUOTE = 1_024;
const MOST_OPTIONS = 50;

/** The name of the message's kind. Null: it has no content, or none that this version of the protocol knows. */
export function kindOf(message: Message): string | null {
  const kinds = Object.entries(message).filter(([, value]) => value !== null && value !== undefined);
  return kinds.map(([kind]) => kind).find((kind) => !BESIDE_THE_CONTENT.has(kind)) ?? null;
}

/** Whether it has only fields beside the content. */
export function isOnlyBeside(message: Message): boolean {
  return kindOf(message) === null && Object.keys(message).some((kind) => kind !== 'messageContextInfo');
}

export function readWritten(wrapped: Message): Written {
  const message = unwrap(wrapped);
  const context = contextOf(message);
  return {
    content: readContent(message),
    replyTo: quotedOf(context),
    forwarded: context?.isForwarded === true || (wholeNumber(context?.forwardingScore) ?? 0) > 0,
  };
}

/** `message` is unwrapped. */
export function readContent(message: Message): InboundContent {
  const text = message.conversation ?? message.extendedTextMessage?.text ?? answerOf(message);
  if (typeof text === 'string') return { type: 'text', text: plainText(text, LONGEST_TEXT) ?? '' };
  return fileOf(message) ?? placeOf(message) ?? peopleOf(message) ?? pollOf(message) ?? unsupported(message);
}

/** The text of a button or a list entry that the person chose. */
function answerOf(message: Message): string | null | undefined {
  return (
    message.buttonsResponseMessage?.selectedDisplayText ??
    message.templateButtonReplyMessage?.selectedDisplayText ??
    message.listResponseMessage?.title ??
    message.interactiveResponseMessage?.body?.text
  );
}

function fileOf(message: Message): InboundContent | null {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = message;
  if (imageMessage) return withFile('image', imageMessage, imageMessage.caption);
  if (videoMessage) return withFile('video', videoMessage, videoMessage.caption);
  if (ptvMessage) return withFile('video', ptvMessage, ptvMessage.caption);
  if (audioMessage) return withFile(audioMessage.ptt ? 'voice' : 'audio', audioMessage, null);
  if (documentMessage) return withFile('document', documentMessage, documentMessage.caption);
  return stickerMessage ? withFile('sticker', stickerMessage, null) : null;
}

type FileType = Extract<InboundContent, { readonly media: unknown }>['type'];

function withFile(type: FileType, file: FileMessage, caption: string | null | undefined): InboundContent {
  return { type, text: plainText(caption, LONGEST_TEXT), media: mediaOf(file) };
}

function placeOf({ locationMessage, liveLocationMessage }: Message): InboundContent | null {
  const place = locationMessage ?? liveLocationMessage;
  const latitude = coordinate(place?.degreesLatitude, 90);
  const longitude = coordinate(place?.degreesLongitude, 180);
  if (!place || latitude === null || longitude === null) return null;
  return {
    type: 'location',
    text: plainText(locationMessage?.comment ?? liveLocationMessage?.caption, LONGEST_TEXT),
    location: {
      latitude,
      longitude,
      name: plainText(locationMessage?.name, LONGEST_WORD),
      address: plainText(locationMessage?.address, LONGEST_WORD),
      live: locationMessage ? locationMessage.isLive === true : true,
    },
  };
}

function peopleOf({ contactMessage, contactsArrayMessage }: Message): InboundContent | null {
  const cards = contactMessage ? [contactMessage] : contactsArrayMessage?.contacts;
  return cards ? { type: 'contacts', contacts: contactsOf(cards) } : null;
}

function pollOf(message: Message): InboundContent | null {
  const poll =
    message.pollCreationMessage ??
    message.pollCreationMessageV2 ??
    message.pollCreationMessageV3 ??
    message.pollCreationMessageV5;
  return poll ? { type: 'poll', poll: readPoll(poll) } : null;
}

/** A poll without a limit of choices has a zero there. */
function readPoll({ name, options, selectableOptionsCount }: proto.Message.IPollCreationMessage): InboundPoll {
  const offered = (options ?? []).slice(0, MOST_OPTIONS).map(({ optionName }) => plainText(optionName, LONGEST_WORD));
  return {
    question: plainText(name, LONGEST_WORD) ?? '',
    options: offered.map((option) => option ?? ''),
    choices: wholeNumber(selectableOptionsCount) || offered.length,
  };
}

function unsupported(message: Message): InboundContent {
  const rawType = kindOf(message);
  if (rawType === null) return { type: 'unsupported', rawType: 'unknown', text: null };
  return { type: 'unsupported', rawType, text: plainText(textIn(partOf(message, rawType)), LONGEST_TEXT) };
}

/** The first text of a part, or of a part of it. */
function textIn(part: Fields, depth = 0): string | null {
  for (const field of TEXT_FIELDS) {
    const value = part[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  if (depth === 2) return null;
  const inner = Object.values(part).filter((value) => typeof value === 'object' && !ArrayBuffer.isView(value));
  // Fields of a message hold text, numbers, bytes and further messages.
  return (
    inner.map((value) => (value ? textIn(value as Fields, depth + 1) : null)).find((text) => text !== null) ?? null
  );
}

type Fields = Readonly<Record<string, unknown>>;

function partOf(message: Message, kind: string): Fields {
  const part = (message as Fields)[kind];
  return typeof part === 'object' && part !== null ? (part as Fields) : {};
}

function contextOf(message: Message): proto.IContextInfo | null {
  const context = partOf(message, kindOf(message) ?? '')['contextInfo'];
  // The field has this name and this type in each kind.
  return typeof context === 'object' ? context : null;
}

function quotedOf(context: proto.IContextInfo | null): Quoted | null {
  const networkMessageId = plainText(context?.stanzaId, LONGEST_WORD);
  if (networkMessageId === null) return null;
  const content = context?.quotedMessage ? readContent(unwrap(context.quotedMessage)) : null;
  const text = content !== null && 'text' in content ? content.text : null;
  return { networkMessageId, text: plainText(text, LONGEST_QUOTE) };
}
