/** Read marks on their way to the phones of the people who wrote. */
import type { ConversationId } from '@kurir/contracts';
import { markRead, requestUnlink } from '@kurir/database';
import type { Driver, Session } from '@kurir/network';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';

const fixture = useWorkerFixture();

const conversations = ({ deviceId }: Customer) =>
  fixture().query<{ id: ConversationId; unread: number; untold: string | null }>(
    'SELECT id, unread, read_marks_through AS untold FROM conversations WHERE device_id = $1 ORDER BY id',
    [deviceId],
  );

/** A person writes to the device, and the worker stores it. Returns the network's id of the message. */
async function write(customer: Customer, from: string, body: object = {}): Promise<string> {
  const unread = async () => (await conversations(customer)).reduce((sum, row) => sum + row.unread, 0);
  const before = await unread();
  const letter = { to: customer.number, text: 'Halo', ...body };
  const { network_message_id: id } = await fixture().network.ask<{ network_message_id: string }>(
    `/phones/${from}/messages`,
    letter,
  );
  await waitUntil(async () => (await unread()) > before, { what: 'the message is stored' });
  return id;
}

async function readAll(customer: Customer): Promise<void> {
  for (const { id } of await conversations(customer)) await markRead(fixture().database, customer.accountId, id);
}

const marksOf = async (phone: string) =>
  (await fixture().network.ask<{ network_message_id: string }[]>(`/phones/${phone}/read-marks`)).map(
    ({ network_message_id }) => network_message_id,
  );

/** Waits until the phone shows so many marks. Returns their ids. */
async function seenBy(phone: string, count: number): Promise<string[]> {
  await waitUntil(async () => (await marksOf(phone)).length >= count, { what: `${count} marks`, timeoutMs: 20_000 });
  return marksOf(phone);
}

const untilTold = (customer: Customer) =>
  waitUntil(async () => (await conversations(customer)).every(({ untold }) => untold === null), {
    what: 'all is told',
    timeoutMs: 20_000,
  });

type MarkRead = NonNullable<Session['markRead']>;

/** A driver whose sessions tell what was read as `wrapped` does. */
const withMarkRead =
  (wrapped: (tell: MarkRead) => MarkRead) =>
  (driver: Driver): Driver => ({
    ...driver,
    connect: (options) => {
      const session = driver.connect(options);
      const tell: MarkRead = async (chat, marks) => session.markRead?.(chat, marks);
      return {
        markRead: wrapped(tell),
        send: (message) => session.send(message),
        typing: (recipient, action) => session.typing(recipient, action),
        logout: () => session.logout(),
        close: () => session.close(),
      };
    },
  });

test('marks reach people who show their number, people who hide it, and those who wrote in a group', async () => {
  fixture().startWorker();
  const customer = await fixture().customer();
  await fixture().query(`UPDATE devices SET "groups" = 'all' WHERE id = $1`, [customer.deviceId]);
  const [plain, hidden, inGroup] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
  const ids = [await write(customer, plain), await write(customer, plain)];
  const ofHidden = await write(customer, hidden, { shown_by: 'id' });
  await waitUntil(
    async () => {
      await fixture().network.ask(`/phones/${inGroup}/messages`, { to: customer.number, text: 'All', group: 'g1' });
      return (await conversations(customer)).length === 3;
    },
    { what: 'the worker takes groups', everyMs: 300 },
  );
  await readAll(customer);
  expect((await seenBy(plain, 2)).toSorted()).toEqual(ids.toSorted());
  expect(await seenBy(hidden, 1)).toEqual([ofHidden]);
  expect(await seenBy(inGroup, 1)).not.toEqual([]);
  await untilTold(customer);
});

test('marks wait for a device that is away, and go out when a worker has it again', async () => {
  const worker = fixture().startWorker();
  const customer = await fixture().customer();
  const phone = newPhoneNumber();
  const id = await write(customer, phone);
  await worker.stop();
  await readAll(customer);
  await readAll(customer);
  expect(await marksOf(phone)).toEqual([]);
  fixture().startWorker();
  expect(await seenBy(phone, 1)).toEqual([id]);
  await untilTold(customer);
  expect(await marksOf(phone)).toEqual([id]);
});

test('a worker that dies after it told the network is followed by one that tells it again', async () => {
  const dying = withMarkRead((tell) => async (chat, marks) => {
    await tell(chat, marks);
    throw new Error('killed');
  });
  const worker = fixture().startWorker({ wrapDriver: dying });
  const customer = await fixture().customer();
  const phone = newPhoneNumber();
  const id = await write(customer, phone);
  await readAll(customer);
  expect(await seenBy(phone, 1)).toEqual([id]);
  await worker.stop();
  fixture().startWorker();
  expect(await seenBy(phone, 2)).toEqual([id, id]);
  await untilTold(customer);
});

test('a chat that cannot be told stops neither other chats nor messages, and is told by the next connection', async () => {
  const [good, bad] = [newPhoneNumber(), newPhoneNumber()];
  let connection = 0;
  const failing = withMarkRead((tell) => {
    const isFirst = (connection += 1) === 1;
    return async (chat, marks) => {
      if (isFirst && chat.id === bad) throw new Error('refused');
      await tell(chat, marks);
    };
  });
  fixture().startWorker({ wrapDriver: failing });
  const customer = await fixture().customer();
  const [ofGood, ofBad] = [await write(customer, good), await write(customer, bad)];
  await readAll(customer);
  expect(await seenBy(good, 1)).toEqual([ofGood]);
  await fixture().send(customer, [{ recipient: good, text: 'still works' }]);
  await fixture().network.expectTexts(good, ['still works']);
  expect(await marksOf(bad)).toEqual([]);
  await fixture().network.fault({ kind: 'restart', device_id: customer.deviceId });
  expect(await seenBy(bad, 1)).toEqual([ofBad]);
  await untilTold(customer);
});

test('a network that never answers one device delays neither its messages nor other devices', async () => {
  const stuck = newPhoneNumber();
  const hanging = withMarkRead(
    (tell) => (chat, marks) => (chat.id === stuck ? new Promise(() => undefined) : tell(chat, marks)),
  );
  fixture().startWorker({ wrapDriver: hanging });
  const [first, second] = [await fixture().customer(), await fixture().customer()];
  const phone = newPhoneNumber();
  await write(first, stuck);
  await readAll(first);
  const id = await write(second, phone);
  await readAll(second);
  expect(await seenBy(phone, 1)).toEqual([id]);
  await fixture().send(first, [{ recipient: stuck, text: 'still works' }]);
  await fixture().network.expectTexts(stuck, ['still works']);
});

test('a device tells a few chats a second, however many were read at once', async () => {
  const at: number[] = [];
  const timed = withMarkRead((tell) => (chat, marks) => {
    at.push(performance.now());
    return tell(chat, marks);
  });
  fixture().startWorker({ wrapDriver: timed });
  const customer = await fixture().customer();
  for (let i = 0; i < 12; i++) await write(customer, newPhoneNumber());
  await readAll(customer);
  await untilTold(customer);
  expect(at).toHaveLength(12);
  // Twelve chats need three rounds. The first one may begin late on a busy machine.
  expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThan(1_000);
});

test('a device that is linked again tells nothing of the account before', async () => {
  const worker = fixture().startWorker();
  const customer = await fixture().customer();
  const phone = newPhoneNumber();
  await write(customer, phone);
  await worker.stop();
  await readAll(customer);
  // The next worker logs out before it tells anything.
  await requestUnlink(fixture().database, customer.accountId, customer.deviceId);
  fixture().startWorker();
  await fixture().untilState(customer, 'disconnected');
  await untilTold(customer);
  const next = { ...customer, number: newPhoneNumber() };
  await fixture().askForQr(next);
  await fixture().network.ask(`/phones/${next.number}/scan`, { code: await fixture().shownCode(next) });
  await fixture().untilState(next, 'connected');
  const other = newPhoneNumber();
  const id = await write(next, other);
  await readAll(next);
  expect(await seenBy(other, 1)).toEqual([id]);
  expect(await marksOf(phone)).toEqual([]);
});
