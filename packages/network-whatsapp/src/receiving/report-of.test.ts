import type { Person } from '@kurir/network';
import { type BinaryNode, proto } from 'baileys';
import { expect, test } from 'vitest';
import type { Message } from '../contents/unwrap.js';
import { isNamed, type Parties, reportOf, undecryptableReport } from './report-of.js';

const person: Person = { userId: 'lid:1', phone: '62812', username: null, name: 'Budi' };
const isOwnAddress = (jid: string): boolean => jid === '9@lid';
const direct: Parties = { chat: { id: 'lid:1', type: 'direct' }, person, isOurs: false, isOwnAddress };
const group: Parties = { ...direct, chat: { id: '1203', type: 'group' } };
const ours: Parties = { ...direct, isOurs: true };

const stanza = (attrs: BinaryNode['attrs'] = {}, encs: readonly string[] = ['msg']): BinaryNode => ({
  tag: 'message',
  attrs: { id: '3EB0', from: '1@lid', t: '1700000000', ...attrs },
  content: encs.map((type) => ({ tag: 'enc', attrs: { type } })),
});
const { REVOKE, MESSAGE_EDIT, EPHEMERAL_SETTING } = proto.Message.ProtocolMessage.Type;
const target = (key: proto.IMessageKey): Message => ({ reactionMessage: { key: { id: 'T', ...key }, text: '👍' } });

test('an edit reports the new content and its target', () => {
  const editedMessage = { conversation: 'benar' };
  const protocolMessage = { type: MESSAGE_EDIT, key: { id: 'T', fromMe: true }, editedMessage };
  const expected = {
    kind: 'edited',
    networkMessageId: '3EB0',
    chat: direct.chat,
    person,
    target: { networkMessageId: 'T', writtenByUs: false },
    content: { type: 'text', text: 'benar' },
    sentAt: new Date(1_700_000_000_000),
    offline: false,
  };
  expect(reportOf(stanza(), { protocolMessage }, direct)).toEqual(expected);
  expect(reportOf(stanza(), { editedMessage: { message: { protocolMessage } } }, direct)).toEqual(expected);
});

test('a deletion and a reaction report their target, and a reaction that is taken back has no emoji', () => {
  const protocolMessage = { type: REVOKE, key: { id: 'T', fromMe: true } };
  expect(reportOf(stanza(), { protocolMessage }, direct)).toMatchObject({
    kind: 'deleted',
    target: { networkMessageId: 'T', writtenByUs: false },
  });
  expect(reportOf(stanza(), target({ fromMe: false }), direct)).toMatchObject({ kind: 'reaction', emoji: '👍' });
  const back = { reactionMessage: { key: { id: 'T' }, text: '' } };
  expect(reportOf(stanza(), back, direct)).toMatchObject({ kind: 'reaction', emoji: null });
});

test.each<[string, Parties, proto.IMessageKey, boolean]>([
  ['our message in a direct chat', direct, { fromMe: false }, true],
  ['their own in a direct chat', direct, { fromMe: true }, false],
  ['our message in a group', group, { fromMe: false, participant: '9@lid' }, true],
  ['their own in a group', group, { fromMe: true, participant: '1@lid' }, false],
  ['a third person in a group', group, { fromMe: false, participant: '5@lid' }, false],
])('the author of a target is known: %s', (_, parties, key, writtenByUs) => {
  expect(reportOf(stanza(), target(key), parties)).toMatchObject({ target: { writtenByUs } });
});

test('what the owner writes with the phone is sent elsewhere; its edits, deletions and reactions are not reported', () => {
  expect(reportOf(stanza(), { conversation: 'Siap' }, ours)).toMatchObject({ kind: 'sent-elsewhere', person });
  expect(reportOf(stanza(), target({ fromMe: true }), ours)).toBeNull();
  expect(reportOf(stanza(), { protocolMessage: { type: REVOKE, key: { id: 'T' } } }, ours)).toBeNull();
  expect(undecryptableReport(stanza(), ours)).toBeNull();
});

test('another protocol message of a person is unsupported with its name; a bare one too', () => {
  const settings = { protocolMessage: { type: EPHEMERAL_SETTING, ephemeralExpiration: 86_400 } };
  expect(reportOf(stanza(), settings, direct)).toMatchObject({ content: { rawType: 'EPHEMERAL_SETTING' } });
  expect(reportOf(stanza(), { protocolMessage: {} }, direct)).toMatchObject({ content: { rawType: 'REVOKE' } });
  const future = { protocolMessage: { type: 9_999 as typeof REVOKE } };
  expect(reportOf(stanza(), future, direct)).toMatchObject({ content: { rawType: 'protocolMessage' } });
});

test('keys without a content are no message, except if the content is of a kind that is not known', () => {
  const keys = { senderKeyDistributionMessage: { groupId: 'x' } };
  expect(reportOf(stanza(), keys, direct)).toBeNull();
  expect(reportOf(stanza({}, ['pkmsg', 'skmsg']), keys, group)).toMatchObject({ content: { rawType: 'unknown' } });
});

test.each([undefined, '', 'rubbish', '-5', '99999999999999'])('a stanza with the time %s has the present one', (t) => {
  const report = undecryptableReport({ ...stanza(), attrs: { id: 'A', from: '1@lid', ...(t && { t }) } }, direct);
  expect(Math.abs((report?.sentAt.getTime() ?? 0) - Date.now())).toBeLessThan(10_000);
});

test('a stanza without an id, and a group without an author, are not reported', () => {
  expect(isNamed(stanza({ id: '' }))).toBe(false);
  expect(isNamed(stanza({ from: '12@g.us' }))).toBe(false);
  expect(isNamed(stanza({ from: '12@g.us', participant: '1@lid' }))).toBe(true);
});
