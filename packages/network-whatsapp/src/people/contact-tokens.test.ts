import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { AuthenticationState, BinaryNode, SignalDataSet, WASocket } from 'baileys';
import { expect, test } from 'vitest';
import { AccountFacts } from './account-facts.js';
import { ContactTokens } from './contact-tokens.js';

const WEEK_SECONDS = 604_800;
const NOW = 2_950 * WEEK_SECONDS * 1_000;
const LID = '200000000000007@lid';
const person = { pn: '4915200000007@s.whatsapp.net', lid: LID, prefers: null, tries: {} };

function open(answer: BinaryNode = { tag: 'iq', attrs: {} }) {
  const rows = new Map<string, unknown>();
  const keys = {
    get: async (kind: string, ids: string[]) => Object.fromEntries(ids.map((id) => [id, rows.get(`${kind}/${id}`)])),
    set: async (data: SignalDataSet) => {
      for (const [id, token] of Object.entries(data.tctoken ?? {})) rows.set(`tctoken/${id}`, token);
    },
  } as unknown as AuthenticationState['keys'];
  const own = new Map<string, Uint8Array>();
  const facts = new AccountFacts({
    readOwnRow: async (kind, id) => own.get(`${kind}/${id}`),
    writeOwnRow: (kind, id, value) => void (value && own.set(`${kind}/${id}`, value)),
  });
  const asked: BinaryNode[] = [];
  const ws = new EventEmitter();
  const query = async (iq: BinaryNode) => {
    asked.push(iq);
    return answer;
  };
  // The parts of a socket that `ContactTokens` uses.
  const socket = { ws, query, serverProps: { lidTrustedTokenIssueToLid: false } } as unknown as WASocket;
  return { tokens: new ContactTokens(socket, keys, facts), facts, ws, asked };
}

const weeksAgo = (weeks: number) => NOW / 1_000 - weeks * WEEK_SECONDS;

test('a message carries the token of its recipient for 26 weeks if the server says nothing else', async () => {
  const { tokens } = open();
  await tokens.note(LID, Buffer.from('given'), weeksAgo(25));
  expect(await tokens.nodeFor(person, NOW)).toEqual({ tag: 'tctoken', attrs: {}, content: Buffer.from('given') });
  expect(await tokens.nodeFor(person, NOW + WEEK_SECONDS * 1_000)).toBeNull();
});

test('tokens are valid as long as the server says, also after it stops saying it', async () => {
  const { tokens, ws, facts } = open();
  const property = (code: string, value: string) => ({
    tag: 'prop',
    attrs: { config_code: code, config_value: value },
  });
  const say = (...props: object[]) =>
    ws.emit('CB:iq,,props', { tag: 'iq', attrs: {}, content: [{ tag: 'props', attrs: {}, content: props }] });
  say(property('909', '4'), property('865', String(WEEK_SECONDS)));
  await expect.poll(() => facts.get('token-life')).toEqual({ bucketSeconds: WEEK_SECONDS, buckets: 4 });
  say(property('1', '2'));
  say(property('909', 'nonsense'));
  await tokens.note(LID, Buffer.from('given'), weeksAgo(3));
  expect(await tokens.nodeFor(person, NOW)).not.toBeNull();
  expect(await tokens.nodeFor(person, NOW + WEEK_SECONDS * 1_000)).toBeNull();
  expect(await facts.get('token-life')).toEqual({ bucketSeconds: WEEK_SECONDS, buckets: 4 });
});

test('a first message carries a token made of the salt and the LID of the recipient', async () => {
  const { tokens, facts } = open();
  expect(await tokens.nodeFor(person, NOW)).toBeNull();
  await facts.set('first-contact-salt', { salt: Buffer.from('salt').toString('base64') });
  const content = createHmac('sha256', 'salt').update(LID).digest();
  expect(await tokens.nodeFor(person, NOW)).toEqual({ tag: 'cstoken', attrs: {}, content });
  expect(await tokens.nodeFor({ ...person, lid: null }, NOW)).toBeNull();
  await tokens.note(LID, Buffer.from('given'), weeksAgo(0));
  expect(await tokens.nodeFor(person, NOW)).toMatchObject({ tag: 'tctoken' });
});

test('an older token, or one without a time, replaces no newer one', async () => {
  const { tokens } = open();
  await tokens.note(LID, Buffer.from('new'), weeksAgo(1));
  await tokens.note(LID, Buffer.from('old'), weeksAgo(2));
  await tokens.note(LID, Buffer.from('timeless'), Number.NaN);
  expect(await tokens.nodeFor(person, NOW)).toMatchObject({ content: Buffer.from('new') });
});

test('the driver vouches for a recipient once a week, and stores a token from the answer', async () => {
  const token = { tag: 'token', attrs: { t: String(weeksAgo(0)) }, content: Buffer.from('back') };
  const tokens = { tag: 'tokens', attrs: {}, content: [token] };
  const opened = open({ tag: 'iq', attrs: {}, content: [tokens] });
  await Promise.all([opened.tokens.vouch(person, NOW), opened.tokens.vouch(person, NOW)]);
  await opened.tokens.vouch(person, NOW + 1_000);
  expect(opened.asked).toHaveLength(1);
  expect(await opened.tokens.nodeFor(person, NOW)).toMatchObject({ content: Buffer.from('back') });
  await opened.tokens.vouch(person, NOW + WEEK_SECONDS * 1_000);
  expect(opened.asked).toHaveLength(2);
});
