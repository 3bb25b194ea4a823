/** The protobuf messages that a person's phone writes to others. The codec comes from zapo-js, as in `protobuf.ts`. */
import { proto } from 'zapo-js/proto';
import type { Codec } from './protobuf.js';

/** A message, an edit, a deletion or a reaction of a person. A target is the id of an earlier message; `byWriter` says whose it is. */
export type Letter =
  | { readonly kind: 'text'; readonly text: string; readonly replyTo?: { readonly id: string; readonly text: string } }
  | { readonly kind: 'file'; readonly type: FileType; readonly caption?: string; readonly fileName?: string }
  | { readonly kind: 'location'; readonly latitude: number; readonly longitude: number; readonly live?: boolean }
  | { readonly kind: 'contact'; readonly name: string; readonly phone: string }
  | { readonly kind: 'poll'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'button'; readonly text: string; readonly of: string }
  | { readonly kind: 'order'; readonly title: string }
  /** An empty emoji takes the reaction back. */
  | { readonly kind: 'reaction'; readonly of: string; readonly emoji: string; readonly byWriter?: boolean }
  | { readonly kind: 'edit'; readonly of: string; readonly text: string }
  | { readonly kind: 'deletion'; readonly of: string }
  /** A message as protobuf, or bytes that are none, in base64. */
  | { readonly kind: 'bytes'; readonly base64: string };

export type FileType = keyof typeof files;

const codec: Codec<object> = proto.Message;

/** `ProtocolMessage.Type` of the protocol. */
const types = { deletion: 0, edit: 14 } as const;

const files = {
  image: ['imageMessage', 'image/jpeg'],
  video: ['videoMessage', 'video/mp4'],
  audio: ['audioMessage', 'audio/mpeg'],
  voice: ['audioMessage', 'audio/ogg; codecs=opus'],
  document: ['documentMessage', 'application/pdf'],
  sticker: ['stickerMessage', 'image/webp'],
} as const;

export const fileTypes = Object.keys(files);

/** The network keeps no such file. Its facts are those of one. */
const fileFacts = {
  fileLength: 48_213,
  fileSha256: new Uint8Array(32).fill(1),
  fileEncSha256: new Uint8Array(32).fill(2),
  mediaKey: new Uint8Array(32).fill(3),
  directPath: '/v/t62.7118-24/a-file',
};

export function writeLetter(letter: Letter): Uint8Array {
  return letter.kind === 'bytes' ? Buffer.from(letter.base64, 'base64') : codec.encode(messageOf(letter)).finish();
}

/** A message of the account's own phone, as its companions get it. */
export function writeOwnLetter(to: string, letter: Letter): Uint8Array {
  if (letter.kind === 'bytes') return writeLetter(letter);
  return codec.encode({ deviceSentMessage: { destinationJid: to, message: messageOf(letter) } }).finish();
}

export function writeSenderKey(senderKeyDistributionMessage: object): Uint8Array {
  return codec.encode({ senderKeyDistributionMessage }).finish();
}

function messageOf(letter: Exclude<Letter, { kind: 'bytes' }>): object {
  switch (letter.kind) {
    case 'text':
      return textMessage(letter);
    case 'file':
      return fileMessage(letter);
    case 'location': {
      const { latitude: degreesLatitude, longitude: degreesLongitude, live } = letter;
      return { [live ? 'liveLocationMessage' : 'locationMessage']: { degreesLatitude, degreesLongitude } };
    }
    case 'contact': {
      const vcard = `BEGIN:VCARD\nFN:${letter.name}\nTEL;waid=${letter.phone}:+${letter.phone}\nEND:VCARD`;
      return { contactMessage: { displayName: letter.name, vcard } };
    }
    case 'poll': {
      const options = letter.options.map((optionName) => ({ optionName }));
      return { pollCreationMessageV3: { name: letter.question, options, selectableOptionsCount: 1 } };
    }
    case 'button': {
      const chosen = { selectedButtonId: '1', selectedDisplayText: letter.text, type: 1 };
      return { buttonsResponseMessage: { ...chosen, contextInfo: { stanzaId: letter.of } } };
    }
    case 'order':
      return { orderMessage: { orderId: '1', orderTitle: letter.title, message: letter.title } };
    case 'reaction':
      return { reactionMessage: { key: { id: letter.of, fromMe: letter.byWriter === true }, text: letter.emoji } };
    case 'edit': {
      const key = { id: letter.of, fromMe: true };
      return { protocolMessage: { type: types.edit, key, editedMessage: { conversation: letter.text } } };
    }
    case 'deletion':
      return { protocolMessage: { type: types.deletion, key: { id: letter.of, fromMe: true } } };
  }
}

function textMessage({ text, replyTo }: Extract<Letter, { kind: 'text' }>): object {
  if (replyTo === undefined) return { conversation: text };
  const contextInfo = { stanzaId: replyTo.id, quotedMessage: { conversation: replyTo.text } };
  return { extendedTextMessage: { text, contextInfo } };
}

function fileMessage({ type, caption, fileName }: Extract<Letter, { kind: 'file' }>): object {
  const [field, mimetype] = files[type];
  const more = { ...(caption === undefined ? {} : { caption }), ...(fileName === undefined ? {} : { fileName }) };
  const file = { ...fileFacts, mimetype, ...more, ...(type === 'voice' ? { ptt: true, seconds: 4 } : {}) };
  return type === 'document' && caption !== undefined
    ? { documentWithCaptionMessage: { message: { [field]: file } } }
    : { [field]: file };
}
