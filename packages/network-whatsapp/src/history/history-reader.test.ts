import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { getMediaKeys, proto, type WASocket } from 'baileys';
import { expect, test } from 'vitest';
import type { AccountFacts } from '../people/account-facts.js';
import type { ContactTokens } from '../people/contact-tokens.js';
import { HistoryReader } from './history-reader.js';

const { INITIAL_BOOTSTRAP, RECENT } = proto.HistorySync.HistorySyncType;
const LID = '200000000000007@lid';
const PN = '4915200000007@s.whatsapp.net';

/** Field 19 of `HistorySync`. */
const SALT = Buffer.from([0x9a, 0x01, 4, ...Buffer.from('salt')]);

function historyFile(mapped = true): Buffer {
  const sync = proto.HistorySync.encode({
    syncType: INITIAL_BOOTSTRAP,
    conversations: [{ id: PN, tcToken: Buffer.from('given'), tcTokenTimestamp: 1_790_000_000 }, { id: '1@g.us' }],
    phoneNumberToLidMappings: mapped
      ? [
          { lidJid: LID, pnJid: PN },
          { lidJid: 'rubbish', pnJid: PN },
        ]
      : [],
  }).finish();
  return deflateSync(Buffer.concat([sync, SALT]));
}

async function seal(file: Uint8Array, mediaKey: Uint8Array): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'md-msg-hist');
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const sealed = Buffer.concat([cipher.update(file), cipher.final()]);
  const mac = createHmac('sha256', macKey ?? '')
    .update(iv)
    .update(sealed)
    .digest()
    .subarray(0, 10);
  return Buffer.concat([sealed, mac]);
}

function open(fetchFile: (path: string) => Promise<Uint8Array>) {
  const pairs: unknown[] = [];
  const tokens: unknown[] = [];
  const facts: unknown[] = [];
  const trouble: string[] = [];
  const lidMapping = {
    storeLIDPNMappings: async (given: unknown[]) => void pairs.push(...given),
    close: () => undefined,
  };
  // The parts of a socket, of the tokens and of the facts that `HistoryReader` uses.
  const reader = new HistoryReader({ signalRepository: { lidMapping } } as unknown as WASocket, {
    tokens: {
      note: async (...given: unknown[]) => void tokens.push(given),
    } as unknown as ContactTokens,
    facts: { set: async (...given: unknown[]) => void facts.push(given) } as unknown as AccountFacts,
    log: { debug: () => undefined, warn: (_context, message) => void trouble.push(message) },
    download: ({ directPath }) => fetchFile(directPath),
  });
  const announce = (announcement: proto.Message.IHistorySyncNotification, fromMe = true) => {
    const message = { protocolMessage: { historySyncNotification: announcement } };
    return reader.take({ key: { fromMe }, message });
  };
  return { reader, announce, pairs, tokens, facts, trouble };
}

const mediaKey = randomBytes(32);
const announcement = { syncType: INITIAL_BOOTSTRAP, directPath: '/v/1', mediaKey };

test('tokens, LIDs and the salt are taken from a file; the token stands under the LID', async () => {
  const sealed = await seal(historyFile(), mediaKey);
  const { announce, pairs, tokens, facts } = open(async (path) => (path === '/v/1' ? sealed : Buffer.alloc(0)));
  await announce(announcement);
  expect(facts).toEqual([['first-contact-salt', { salt: Buffer.from('salt').toString('base64') }]]);
  expect(pairs).toEqual([{ lid: LID, pn: PN }]);
  expect(tokens).toEqual([[LID, Buffer.from('given'), 1_790_000_000]]);
});

test('a history inside its announcement needs no download', async () => {
  const { announce, tokens } = open(() => Promise.reject(new Error('nothing to download')));
  await announce({ syncType: INITIAL_BOOTSTRAP, initialHistBootstrapInlinePayload: historyFile(false) });
  expect(tokens).toEqual([[PN, Buffer.from('given'), 1_790_000_000]]);
});

test('a history that would fill the memory is refused', async () => {
  const empty = Buffer.alloc(2 * 30_000);
  // Field 2 without bytes: an empty chat.
  for (let at = 0; at < empty.length; at += 2) empty[at] = 0x12;
  const { reader, announce, trouble, pairs } = open(() => Promise.reject(new Error('nothing to download')));
  const given = announce({ syncType: INITIAL_BOOTSTRAP, initialHistBootstrapInlinePayload: deflateSync(empty) });
  await expect.poll(() => trouble).toEqual(['the first history of an account could not be read']);
  reader.stop();
  await given;
  expect(pairs).toEqual([]);
});

test('only the own phone can announce a history, and other kinds of history are not fetched', async () => {
  const asked: string[] = [];
  const { announce } = open(async (path) => {
    asked.push(path);
    return seal(historyFile(), mediaKey);
  });
  await announce({ ...announcement, directPath: '/stranger' }, false);
  await announce({ ...announcement, directPath: '/recent', syncType: RECENT });
  await announce({ ...announcement, directPath: '/mine' });
  expect(asked).toEqual(['/mine']);
});

test('a damaged file, a file without a history and a missing file are logged, and nothing of them is stored', async () => {
  const sealed = await seal(historyFile(), mediaKey);
  sealed[20] = (sealed[20] ?? 0) ^ 1;
  const rubbish = await seal(Buffer.from('no history'), mediaKey);
  for (const file of [sealed, rubbish, Buffer.alloc(3), null]) {
    const { reader, announce, trouble, tokens, facts, pairs } = open(() =>
      file === null ? Promise.reject(new Error('gone')) : Promise.resolve(file),
    );
    const given = announce(announcement);
    await expect.poll(() => trouble).toEqual(['the first history of an account could not be read']);
    reader.stop();
    await given;
    expect([...tokens, ...facts, ...pairs]).toEqual([]);
  }
});
