import { randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import { expect, test } from 'vitest';
import { readWritten } from './read-content.js';
import type { Message } from './unwrap.js';

/** The message as it arrives. */
const read = (message: Message) => readWritten(proto.Message.decode(proto.Message.encode(message).finish()));

const key = new Uint8Array(32).fill(7);
const file = {
  mimetype: 'image/jpeg',
  fileLength: 48_213,
  fileSha256: new Uint8Array(32).fill(1),
  fileEncSha256: new Uint8Array(32).fill(2),
  mediaKey: key,
  directPath: '/v/t62/file?ccb=11',
};
const facts = { mimeType: 'image/jpeg', sizeBytes: 48_213, sha256: '01'.repeat(32) };

test.each<[string, Message]>([
  ['plain', { conversation: 'Halo' }],
  ['extended', { extendedTextMessage: { text: 'Halo' } }],
  ['disappearing', { ephemeralMessage: { message: { conversation: 'Halo' } } }],
  [
    'viewed once in something that disappears',
    { ephemeralMessage: { message: { viewOnceMessageV2: { message: { conversation: 'Halo' } } } } },
  ],
  ['from our own phone', { deviceSentMessage: { destinationJid: 'x', message: { conversation: 'Halo' } } }],
  ['a chosen button', { buttonsResponseMessage: { selectedButtonId: 'a', selectedDisplayText: 'Halo' } }],
  ['a chosen entry of a list', { listResponseMessage: { title: 'Halo', singleSelectReply: { selectedRowId: 'a' } } }],
  ['a chosen button of a template', { templateButtonReplyMessage: { selectedId: 'a', selectedDisplayText: 'Halo' } }],
  ['an answer to a flow', { interactiveResponseMessage: { body: { text: 'Halo' } } }],
])('a text is read: %s', (_, message) => {
  expect(read(message)).toEqual({ content: { type: 'text', text: 'Halo' }, replyTo: null, forwarded: false });
});

test.each<[string, Message, object]>([
  [
    'image',
    { imageMessage: { ...file, caption: 'Ini', width: 640, height: 480 } },
    { text: 'Ini', media: { width: 640, height: 480 } },
  ],
  ['video', { videoMessage: { ...file, seconds: 12 } }, { text: null, media: { seconds: 12 } }],
  ['video', { ptvMessage: { ...file } }, {}],
  ['audio', { audioMessage: { ...file, seconds: 3 } }, { media: { seconds: 3 } }],
  ['voice', { audioMessage: { ...file, ptt: true } }, {}],
  [
    'document',
    { documentWithCaptionMessage: { message: { documentMessage: { ...file, fileName: 'a.pdf', caption: 'Nota' } } } },
    { text: 'Nota', media: { fileName: 'a.pdf' } },
  ],
  ['sticker', { stickerMessage: { ...file } }, {}],
  ['sticker', { lottieStickerMessage: { message: { stickerMessage: { ...file } } } }, {}],
])('the facts of a file are read: %s', (type, message, more) => {
  const { content } = read(message);
  expect(content).toMatchObject({ type, media: facts });
  expect(content).toMatchObject(more);
  const { reference = null } = 'media' in content ? content.media : {};
  expect(JSON.parse(reference ?? '')).toMatchObject({
    path: '/v/t62/file?ccb=11',
    key: Buffer.from(key).toString('base64'),
  });
});

test('a place, a moving place, people and a poll are read', () => {
  const place = { degreesLatitude: -6.2, degreesLongitude: 106.8 };
  expect(read({ locationMessage: { ...place, name: 'Monas', address: 'Jakarta' } }).content).toEqual({
    type: 'location',
    text: null,
    location: { latitude: -6.2, longitude: 106.8, name: 'Monas', address: 'Jakarta', live: false },
  });
  expect(read({ liveLocationMessage: { ...place, caption: 'Di jalan' } }).content).toMatchObject({
    text: 'Di jalan',
    location: { live: true },
  });
  const vcard = 'BEGIN:VCARD\r\nFN:Budi\r\nitem1.TEL;waid=628123:+62 812-3\r\nTEL;TYPE=WORK:021 555\r\nEND:VCARD';
  const contacts = [{ name: 'Budi', phones: ['628123', '021 555'] }];
  expect(read({ contactMessage: { displayName: 'Budi', vcard } }).content).toEqual({ type: 'contacts', contacts });
  expect(read({ contactsArrayMessage: { contacts: [{ displayName: 'Budi', vcard }] } }).content).toMatchObject({
    contacts,
  });
  const options = [{ optionName: 'Ya' }, { optionName: 'Tidak' }];
  expect(read({ pollCreationMessageV3: { name: 'Datang?', options, selectableOptionsCount: 1 } }).content).toEqual({
    type: 'poll',
    poll: { question: 'Datang?', options: ['Ya', 'Tidak'], choices: 1 },
  });
  expect(read({ pollCreationMessage: { name: 'Apa?', options } }).content).toMatchObject({ poll: { choices: 2 } });
});

test('an answer names the message that it answers, with its text', () => {
  const contextInfo = {
    stanzaId: '3EB0A',
    quotedMessage: { imageMessage: { ...file, caption: 'Yang ini' } },
    isForwarded: true,
  };
  const { replyTo, forwarded } = read({ extendedTextMessage: { text: 'Berapa?', contextInfo } });
  expect({ replyTo, forwarded }).toEqual({ replyTo: { networkMessageId: '3EB0A', text: 'Yang ini' }, forwarded: true });
  const chosen = read({ listResponseMessage: { title: 'Halo', contextInfo: { stanzaId: '3EB0B' } } });
  expect(chosen.replyTo).toEqual({ networkMessageId: '3EB0B', text: null });
});

test.each<[string, Message, string | null]>([
  ['orderMessage', { orderMessage: { orderId: '1', orderTitle: 'x' } }, null],
  ['pollUpdateMessage', { pollUpdateMessage: {} }, null],
  ['groupInviteMessage', { groupInviteMessage: { caption: 'Ikut' } }, 'Ikut'],
  ['buttonsMessage', { buttonsMessage: { contentText: 'Pilih' } }, 'Pilih'],
  ['interactiveMessage', { interactiveMessage: { body: { text: 'Katalog' } } }, 'Katalog'],
  ['templateMessage', { templateMessage: { hydratedTemplate: { hydratedContentText: 'Promo' } } }, 'Promo'],
  ['locationMessage', { locationMessage: { degreesLatitude: Number.NaN, degreesLongitude: 900 } }, null],
  ['unknown', {}, null],
  ['unknown', { messageContextInfo: {} }, null],
])('what is not understood is unsupported with its name: %s', (rawType, message, text) => {
  expect(read(message).content).toEqual({ type: 'unsupported', rawType, text });
});

test('absurd values become none, and absurd lengths are cut', () => {
  const { content } = read({ conversation: `a\0${'ö'.repeat(100_000)}` });
  expect(content.type === 'text' && content.text.length).toBe(65_535);
  const absurd = { ...file, fileSha256: key.slice(1), seconds: 4_294_967_295, mediaKey: key.slice(1), fileName: '\0' };
  expect(read({ videoMessage: absurd }).content).toMatchObject({
    media: { sha256: null, seconds: null, reference: null, fileName: null },
  });
  const half = read({ conversation: `${'a'.repeat(65_535)}😀` }).content;
  expect(half.type === 'text' && half.text.endsWith('\uFFFD')).toBe(true);
  const many = Array.from({ length: 200 }, () => ({ displayName: 'x', vcard: 'TEL:1\n'.repeat(500) }));
  const { content: people } = read({ contactsArrayMessage: { contacts: many } });
  expect(people.type === 'contacts' && people.contacts.length).toBe(100);
});

test('a message that is wrapped too often is unsupported', () => {
  let message: Message = { conversation: 'deep' };
  for (let depth = 0; depth < 20; depth += 1) message = { ephemeralMessage: { message } };
  expect(read(message).content).toMatchObject({ type: 'unsupported', rawType: 'ephemeralMessage' });
});

test('no bytes make the reader fail, and each message that can be decoded is read', () => {
  const whole = Buffer.from(
    proto.Message.encode({
      imageMessage: { ...file, caption: 'x', contextInfo: { stanzaId: '1', quotedMessage: { conversation: 'y' } } },
      contactsArrayMessage: { contacts: [{ displayName: 'a', vcard: 'TEL:1' }] },
      locationMessage: { degreesLatitude: 1, degreesLongitude: 2 },
      pollCreationMessage: { name: 'p', options: [{ optionName: 'o' }] },
    }).finish(),
  );
  let decoded = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const bytes = Buffer.from(whole);
    for (const at of randomBytes(1 + (round % 8))) bytes[at % bytes.length] = randomBytes(1)[0] ?? 0;
    const message = decode(round % 3 === 0 ? randomBytes(1 + (round % 200)) : bytes);
    if (message === null) continue;
    decoded += 1;
    expect(JSON.stringify(readWritten(message)).length).toBeLessThan(200_000);
  }
  expect(decoded).toBeGreaterThan(100);
});

function decode(bytes: Uint8Array): Message | null {
  try {
    return proto.Message.decode(bytes);
  } catch {
    return null;
  }
}
