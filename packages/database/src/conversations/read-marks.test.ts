import type { AccountId, ConversationId, DeviceId } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import {
  budi,
  everyReport,
  inboundOn,
  personOf,
  siti,
  textFrom,
  undecryptableFrom,
} from '../../test/inbound-fixture.js';
import { eraseNumber } from '../retention/erase-number.js';
import { dropReadMarks, markRead, noteTold, readDevicesToTell, readUntold } from './read-marks.js';

const fixture = useDatabaseFixture();
const { store, conversations } = inboundOn(fixture);
type Place = { readonly accountId: AccountId; readonly deviceId: DeviceId };

const untold = ({ deviceId }: Place) => readUntold(fixture().database, deviceId, 10);

/** The ids of the untold messages. */
const untoldIds = async (place: Place) =>
  (await untold(place)).flatMap(({ marks }) => marks.map(({ networkMessageId }) => networkMessageId)).toSorted();

async function tellAll(place: Place): Promise<void> {
  for (const chat of await untold(place)) await noteTold(fixture().database, chat);
}

// The rows of the table have such ids.
const idOf = (row: { id: string } | undefined) => (row?.id ?? '') as ConversationId;

/** Marks a conversation of the device, counted in the order of their beginning. */
async function read({ accountId, deviceId }: Place, n = 0): Promise<void> {
  const row = (await conversations(deviceId))[n];
  expect(await markRead(fixture().database, accountId, idOf(row))).toMatchObject({ unread: 0 });
}

const messagesOf = (count: number, person = budi) => Array.from({ length: count }, (_, i) => textFrom(person, `${i}`));
const idsOf = (messages: readonly { networkMessageId: string }[]) =>
  messages.map(({ networkMessageId }) => networkMessageId).toSorted();

test('only messages that were unread are told, and only once', async () => {
  const tenant = await fixture().tenant();
  const [first, second] = [messagesOf(3), messagesOf(2)];
  await store(tenant.deviceId, ...first);
  // As it was before the network was told: read, and not to be told any more.
  await fixture().query('UPDATE conversations SET unread = 0 WHERE device_id = $1', [tenant.deviceId]);
  await read(tenant);
  expect(await readDevicesToTell(fixture().database, [tenant.deviceId])).toEqual([]);
  await store(tenant.deviceId, ...second);
  await read(tenant);
  await read(tenant);
  expect(await readDevicesToTell(fixture().database, [tenant.deviceId])).toEqual([tenant.deviceId]);
  expect(await untold(tenant)).toMatchObject([{ chat: { id: budi.userId, type: 'direct' } }]);
  expect(await untoldIds(tenant)).toEqual(idsOf(second));
  await tellAll(tenant);
  await read(tenant);
  expect(await untoldIds(tenant)).toEqual([]);
});

test('a message that came in the same moment as another answer from the phone is told', async () => {
  for (let i = 0; i < 20; i++) {
    const tenant = await fixture().tenant();
    const last = textFrom(budi, 'c');
    await store(tenant.deviceId, textFrom(budi, 'a'), { ...textFrom(budi, 'b'), kind: 'sent-elsewhere' }, last);
    await read(tenant);
    expect(await untoldIds(tenant)).toContain(last.networkMessageId);
  }
});

test('messages before an answer from the phone, edits and messages that could not be read are not told', async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, ...messagesOf(2));
  await store(tenant.deviceId, { ...textFrom(budi, 'By phone'), kind: 'sent-elsewhere' });
  await read(tenant);
  expect(await untoldIds(tenant)).toEqual([]);
  const message = textFrom(budi, 'Halo');
  const target = { networkMessageId: message.networkMessageId, writtenByUs: false };
  await store(tenant.deviceId, message, { ...everyReport(budi), kind: 'deleted', target }, undecryptableFrom(budi));
  await read(tenant);
  expect(await untoldIds(tenant)).toContain(message.networkMessageId);
  expect(await untoldIds(tenant)).toHaveLength(1);
});

test('the newest 100 messages of a chat are told, and the chats with the newest ones first', async () => {
  const tenant = await fixture().tenant();
  const many = messagesOf(130);
  await store(tenant.deviceId, ...many);
  await store(tenant.deviceId, textFrom(siti, 'last'));
  await read(tenant);
  await read(tenant, 1);
  const [newest, other] = await untold(tenant);
  expect([newest?.chat.id, other?.chat.id]).toEqual([siti.userId, budi.userId]);
  expect(other?.marks).toHaveLength(100);
  const told = other?.marks.map(({ networkMessageId }) => networkMessageId);
  // Messages of one millisecond have no order.
  expect(told).toEqual(expect.arrayContaining(idsOf(many).slice(-80)));
  expect(await readUntold(fixture().database, tenant.deviceId, 1)).toHaveLength(1);
});

test('what is read while a worker tells is told by the next one', async () => {
  const tenant = await fixture().tenant();
  const [first, second] = [messagesOf(2), messagesOf(2)];
  await store(tenant.deviceId, ...first);
  await read(tenant);
  const [told] = await untold(tenant);
  await store(tenant.deviceId, ...second);
  await read(tenant);
  if (told !== undefined) await noteTold(fixture().database, told);
  expect(await untoldIds(tenant)).toEqual(idsOf([...first, ...second]));
});

test('messages that come while people read are told, or stay unread', async () => {
  const tenant = await fixture().tenant();
  const messages = messagesOf(40);
  const told = new Set<string>();
  await store(tenant.deviceId, textFrom(budi, 'first'));
  await read(tenant);
  await tellAll(tenant);
  const reading = (async () => {
    for (let i = 0; i < 40; i++) {
      await read(tenant);
      for (const id of await untoldIds(tenant)) told.add(id);
      await tellAll(tenant);
    }
  })();
  for (const message of messages) await store(tenant.deviceId, message);
  await reading;
  await read(tenant);
  for (const id of await untoldIds(tenant)) told.add(id);
  expect([...told].toSorted()).toEqual(expect.arrayContaining(idsOf(messages)));
});

test('the messages of an alias are told with its conversation', async () => {
  const tenant = await fixture().tenant();
  const number = budi.phone ?? '';
  const [byId, byNumber] = [textFrom(personOf(budi.userId, null), 'a'), textFrom(personOf(number, number), 'b')];
  await store(tenant.deviceId, byId, byNumber);
  await store(tenant.deviceId, { kind: 'identified', userId: budi.userId, phone: number });
  const [, alias] = await conversations(tenant.deviceId);
  await markRead(fixture().database, tenant.accountId, idOf(alias));
  const [only, ...others] = await untold(tenant);
  expect(others).toEqual([]);
  expect(new Set(only?.marks)).toEqual(
    new Set([
      { networkMessageId: byNumber.networkMessageId, userId: number },
      { networkMessageId: byId.networkMessageId, userId: budi.userId },
    ]),
  );
});

test('in a group, each mark names the writer', async () => {
  const tenant = await fixture().tenant();
  const chat = { id: 'group:7', type: 'group' as const };
  await store(tenant.deviceId, textFrom(budi, 'a', { chat }), textFrom(siti, 'b', { chat }));
  await read(tenant);
  const [group] = await untold(tenant);
  expect(group?.chat).toEqual(chat);
  expect(group?.marks.map(({ userId }) => userId).toSorted()).toEqual([budi.userId, siti.userId]);
});

test('an erased person is told nothing, and nothing is left to tell', async () => {
  const tenant = await fixture().tenant();
  const chat = { id: 'group:7', type: 'group' as const };
  await store(tenant.deviceId, textFrom(budi, 'a'), textFrom(budi, 'b', { chat }));
  await read(tenant);
  await read(tenant, 1);
  await eraseNumber(fixture().database, sealer, { number: budi.phone ?? '', accountId: tenant.accountId });
  expect((await untold(tenant)).map(({ marks }) => marks)).toEqual([[], []]);
  await tellAll(tenant);
  expect(await readDevicesToTell(fixture().database, [tenant.deviceId])).toEqual([]);
});

test('a device that is not linked any more tells nothing of its earlier account', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  for (const place of [tenant, other]) {
    await store(place.deviceId, textFrom(budi, 'a'), textFrom(siti, 'b'));
    await read(place);
    await read(place, 1);
  }
  expect(await dropReadMarks(fixture().database, tenant.deviceId)).toBe(2);
  expect(await dropReadMarks(fixture().database, tenant.deviceId)).toBe(0);
  expect(await untold(tenant)).toEqual([]);
  expect(await untold(other)).toHaveLength(2);
});

test('a conversation of another account is not marked', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  await store(tenant.deviceId, textFrom(budi, 'a'));
  const [row] = await conversations(tenant.deviceId);
  expect(await markRead(fixture().database, other.accountId, idOf(row))).toBeNull();
  expect(await untold(tenant)).toEqual([]);
});
