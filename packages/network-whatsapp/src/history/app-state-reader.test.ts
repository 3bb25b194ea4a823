import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type BinaryNode, getMediaKeys, proto, type WASocket } from 'baileys';
import { expect, test } from 'vitest';
import type { AccountFact, AccountFacts } from '../people/account-facts.js';
import { AppStateReader } from './app-state-reader.js';

const { SET, REMOVE } = proto.SyncdMutation.SyncdOperation;
const keyId = Buffer.from([0, 0, 0, 1]);
const shared = randomBytes(32);
const keys = Buffer.from(hkdfSync('sha256', shared, Buffer.alloc(0), 'WhatsApp Mutation Keys', 160));

/**
 * `SyncActionValue` with field 80, `nctSaltSyncAction`, whose field 1 is the salt. Baileys does not know this field.
 */
const saltValue = (salt: string): Buffer => {
  const action = Buffer.concat([Buffer.from([0x0a, salt.length]), Buffer.from(salt)]);
  return Buffer.concat([Buffer.from([0x82, 0x05, action.length]), action]);
};

/** `SyncActionData`: index and value, each shorter than 128 bytes. */
const actionData = (name: string, value: Buffer): Buffer => {
  const index = Buffer.from(JSON.stringify([name]));
  return Buffer.concat([Buffer.from([0x0a, index.length]), index, Buffer.from([0x12, value.length]), value]);
};

function record(name: string, value: Buffer, operation = SET): proto.ISyncdRecord {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', keys.subarray(32, 64), iv);
  const sealed = Buffer.concat([iv, cipher.update(actionData(name, value)), cipher.final()]);
  const prefix = Buffer.concat([Buffer.from([operation === SET ? 1 : 2]), keyId]);
  const length = Buffer.alloc(8);
  length[7] = prefix.length;
  const mac = createHmac('sha512', keys.subarray(64, 96)).update(prefix).update(sealed).update(length).digest();
  return { keyId: { id: keyId }, value: { blob: Buffer.concat([sealed, mac.subarray(0, 32)]) }, index: {} };
}

async function externalFile(content: Uint8Array): Promise<{ reference: Uint8Array; file: Buffer }> {
  const mediaKey = randomBytes(32);
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'md-app-state');
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  const mac = createHmac('sha256', macKey ?? '')
    .update(iv)
    .update(sealed)
    .digest()
    .subarray(0, 10);
  const reference = proto.ExternalBlobReference.encode({ directPath: '/v/app-state', mediaKey }).finish();
  return { reference, file: Buffer.concat([sealed, mac]) };
}

const node = (tag: string, attrs: Record<string, string>, content?: BinaryNode['content']): BinaryNode =>
  content === undefined ? { tag, attrs } : { tag, attrs, content };

type Page = { readonly more?: boolean; readonly content: BinaryNode[] };

function open(pages: Page[], { hasKey = true, file = Buffer.alloc(0) }: { hasKey?: boolean; file?: Buffer } = {}) {
  const ws = new EventEmitter();
  ws.on('CB:notification', () => undefined);
  const ev = new EventEmitter();
  const known = new Map<string, unknown>();
  const asked: string[] = [];
  const trouble: string[] = [];
  const query = async (iq: BinaryNode) => {
    const collection = (iq.content as BinaryNode[])[0]?.content as BinaryNode[];
    asked.push(collection[0]?.attrs['version'] ?? '');
    const page = pages.shift() ?? { content: [] };
    const attrs = { name: 'regular_high', has_more_patches: String(page.more ?? false) };
    return node('iq', {}, [node('sync', {}, [node('collection', attrs, page.content)])]);
  };
  // The parts of a socket, of the facts and of the store that `AppStateReader` uses.
  const socket = { ws, ev, query, sendNode: async () => undefined, authState: { creds: { me: { id: 'me' } } } };
  const facts = {
    get: async (name: string) => known.get(name) ?? null,
    set: async (name: string, fact: AccountFact[keyof AccountFact]) => void known.set(name, fact),
  };
  const reader = new AppStateReader(socket as unknown as WASocket, {
    keys: { get: async () => (hasKey ? { [keyId.toString('base64')]: { keyData: shared } } : {}) } as never,
    facts: facts as unknown as AccountFacts,
    log: { debug: () => undefined, warn: (_context, message) => void trouble.push(message) },
    download: async () => file,
  });
  const changed = () =>
    ws.emit(
      'CB:notification',
      node('notification', { type: 'server_sync' }, [node('collection', { name: 'regular_high' })]),
    );
  return { reader, changed, known, asked, trouble };
}

const salt = (text: string) => ({ salt: Buffer.from(text).toString('base64') });
const patch = (version: number, operation: typeof SET | typeof REMOVE, entry: proto.ISyncdRecord): BinaryNode =>
  node(
    'patch',
    {},
    Buffer.from(proto.SyncdPatch.encode({ version: { version }, mutations: [{ operation, record: entry }] }).finish()),
  );

test('the salt is taken from a snapshot, which is a separate file, and then from the changes after it', async () => {
  const snapshot = proto.SyncdSnapshot.encode({
    version: { version: 7 },
    records: [record('other', Buffer.from([0x08, 1])), record('nct_salt_sync', saltValue('first'))],
  }).finish();
  const { reference, file } = await externalFile(snapshot);
  const pages = [
    { more: true, content: [node('snapshot', {}, Buffer.from(reference))] },
    { content: [node('patches', {}, [patch(8, SET, record('nct_salt_sync', saltValue('second')))])] },
  ];
  const { changed, known, asked } = open(pages, { file });
  changed();
  await expect.poll(() => known.get('app-state')).toEqual({ regular_high: 8 });
  expect(known.get('first-contact-salt')).toEqual(salt('second'));
  expect(asked).toEqual(['0', '7']);
});

test('a salt that the account gives up is forgotten', async () => {
  const gone = patch(9, REMOVE, record('nct_salt_sync', saltValue('old'), REMOVE));
  const { changed, known } = open([{ content: [node('patches', {}, [gone])] }]);
  changed();
  await expect.poll(() => known.get('first-contact-salt')).toEqual({ salt: '' });
});

test('a record that was not sealed with the account’s key is skipped', async () => {
  const forged = record('nct_salt_sync', saltValue('forged'));
  const blob = Buffer.from(forged.value?.blob ?? []);
  blob[20] = (blob[20] ?? 0) ^ 1;
  const entry = patch(3, SET, { ...forged, value: { blob } });
  const { changed, known } = open([{ content: [node('patches', {}, [entry])] }]);
  changed();
  await expect.poll(() => known.get('app-state')).toEqual({ regular_high: 3 });
  expect(known.has('first-contact-salt')).toBe(false);
});

test('a record whose key the phone has not sent is read later, without a warning', async () => {
  const entry = patch(3, SET, record('nct_salt_sync', saltValue('later')));
  const { changed, known, asked, trouble } = open([{ content: [node('patches', {}, [entry])] }], { hasKey: false });
  changed();
  await expect.poll(() => asked.length).toBe(1);
  expect([known.has('app-state'), trouble]).toEqual([false, []]);
});

test('a damaged file is logged, and read again with the next change', async () => {
  const { reference } = await externalFile(Buffer.from('snapshot'));
  const page = { content: [node('snapshot', {}, Buffer.from(reference))] };
  const { changed, known, asked, trouble } = open([page, page], { file: Buffer.from('rubbish and more of it') });
  changed();
  await expect.poll(() => trouble).toEqual(['the app state could not be read']);
  changed();
  await expect.poll(() => asked).toEqual(['0', '0']);
  expect(known.has('app-state')).toBe(false);
});
