import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { budi, inboundOn, personOf, siti, textFrom } from '../../test/inbound-fixture.js';

const fixture = useDatabaseFixture();
const { store, conversations, events } = inboundOn(fixture);
const number = budi.phone ?? '';
const byNumber = personOf(number, number);
const hidden = personOf(budi.userId, null);

test('a person without a number has a conversation like others, and gets the number when it is known', async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(hidden, 'Halo'));
  expect(await conversations(tenant.deviceId)).toMatchObject([{ user_id: budi.userId, phone: null }]);
  await store(tenant.deviceId, textFrom(budi, 'Halo'), textFrom(hidden, 'Halo'));
  const [only, ...others] = await conversations(tenant.deviceId);
  expect(others).toEqual([]);
  expect(only).toMatchObject({ user_id: budi.userId, phone: number, unread: 3 });
  const told = await events(tenant);
  expect(told.map(({ type }) => type)).toEqual([
    'message.received',
    'contact.identified',
    'message.received',
    'message.received',
  ]);
  expect(told[1]?.data).toEqual({
    conversation_id: only?.id,
    device_id: tenant.deviceId,
    user_id: budi.userId,
    phone: number,
  });
  // The first event shows the person as known then.
  expect(told[0]?.data).toMatchObject({ from: { phone: null } });
});

test.each([
  ['the one by number', [byNumber, hidden]],
  ['the one by id', [hidden, byNumber]],
])('two conversations of one person become one, and the older one stays: %s', async (_, [first, second]) => {
  const tenant = await fixture().tenant();
  for (const person of [first, second]) await store(tenant.deviceId, textFrom(person ?? siti, 'Halo'));
  const [older, younger] = await conversations(tenant.deviceId);
  expect(younger?.alias_of).toBeNull();
  expect(await store(tenant.deviceId, { kind: 'identified', userId: budi.userId, phone: number })).toEqual(['stored']);
  expect(await store(tenant.deviceId, { kind: 'identified', userId: budi.userId, phone: number })).toEqual(['ignored']);
  expect(await conversations(tenant.deviceId)).toMatchObject([
    { id: older?.id, alias_of: null, user_id: budi.userId, phone: number, unread: 2 },
    { id: younger?.id, alias_of: older?.id },
  ]);
  await store(tenant.deviceId, textFrom(byNumber, 'a'), textFrom(hidden, 'b'), textFrom(budi, 'c'));
  expect(await conversations(tenant.deviceId)).toMatchObject([{ id: older?.id, unread: 5 }, {}]);
  const told = await events(tenant);
  expect(told.map(({ subject, sequence }) => [subject.id, sequence])).toEqual([
    [older?.id, 1],
    [younger?.id, 1],
    [older?.id, 2],
    [older?.id, 3],
    [older?.id, 4],
    [older?.id, 5],
  ]);
});

test('an id that appears for a known number joins its conversation', async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(byNumber, 'a'));
  await store(tenant.deviceId, textFrom(budi, 'b'), textFrom(hidden, 'c'), textFrom(byNumber, 'd'));
  const [kept, alias, ...others] = await conversations(tenant.deviceId);
  expect(others).toEqual([]);
  expect(kept).toMatchObject({ user_id: budi.userId, phone: number, unread: 4 });
  expect(alias).toMatchObject({ chat_id: budi.userId, alias_of: kept?.id });
});

test('a number that moved to another person leaves the first conversation, and no history is shown to the other', async () => {
  const tenant = await fixture().tenant();
  const heir = personOf('lid:999', number);
  await store(tenant.deviceId, textFrom(byNumber, 'a'), textFrom(budi, 'b'), textFrom(heir, 'c'), textFrom(heir, 'd'));
  const rows = await conversations(tenant.deviceId);
  expect(rows.filter(({ alias_of }) => alias_of === null)).toMatchObject([
    { user_id: budi.userId, phone: null, unread: 2 },
    { user_id: 'lid:999', phone: number, unread: 2 },
  ]);
  await store(tenant.deviceId, textFrom(hidden, 'e'));
  expect((await conversations(tenant.deviceId))[0]?.unread).toBe(3);
});

test('a number that moved to another person takes also the chat that was named by it', async () => {
  const tenant = await fixture().tenant();
  const heir = personOf('lid:999', number);
  await store(tenant.deviceId, textFrom(budi, 'a'), textFrom(byNumber, 'b'), textFrom(heir, 'c'));
  await store(tenant.deviceId, textFrom(byNumber, 'd'));
  const rows = await conversations(tenant.deviceId);
  expect(rows.filter(({ alias_of }) => alias_of === null)).toMatchObject([
    { user_id: budi.userId, phone: null, unread: 2 },
    { user_id: 'lid:999', phone: number, unread: 2 },
  ]);
});

test('two workers that identify a person at once make one conversation', async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(hidden, 'a'), textFrom(byNumber, 'b'));
  await Promise.all([0, 1, 2, 3].map((i) => store(tenant.deviceId, textFrom([budi, byNumber][i % 2] ?? budi, 'c'))));
  const rows = await conversations(tenant.deviceId);
  expect(rows.filter(({ alias_of }) => alias_of === null)).toMatchObject([{ phone: number, unread: 6 }]);
  expect((await events(tenant)).filter(({ type }) => type === 'contact.identified')).toHaveLength(1);
});

test('a number that is told of nobody who wrote changes nothing', async () => {
  const tenant = await fixture().tenant();
  expect(await store(tenant.deviceId, { kind: 'identified', userId: 'lid:5', phone: number })).toEqual(['ignored']);
  expect(await conversations(tenant.deviceId)).toEqual([]);
});

test('a group is one conversation, whoever writes in it', async () => {
  const tenant = await fixture().tenant();
  const chat = { id: 'group:7', type: 'group' as const };
  await store(tenant.deviceId, textFrom(budi, 'a', { chat }), textFrom(siti, 'b', { chat }));
  expect(await conversations(tenant.deviceId)).toMatchObject([
    { chat_id: 'group:7', user_id: null, phone: null, unread: 2 },
  ]);
  const told = await events(tenant);
  expect(told.map(({ data }) => ('from' in data ? data.from.name : null))).toEqual(['Budi', 'Siti']);
  expect(told[0]?.data).toMatchObject({ chat: { type: 'group' } });
});
