/**
 * All ways in which WhatsApp ends a connection. Each test checks the state that the customer reads, the worker's next step,
 * the message in flight and the message after it.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { MessageId } from '@kurir/contracts';
import { changeDevice, requestUnlink } from '@kurir/database';
import { builtInVersion } from '@kurir/network-whatsapp';
import { waitUntil } from '@kurir/testing';
import type { LoginFailure, StreamEnd } from '@kurir/whatsapp-relay';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { type PastState, useWhatsappFixture } from '../../test/whatsapp-fixture.js';

const fixture = useWhatsappFixture();

type Begun = {
  readonly recipient: string;
  readonly first: MessageId;
  readonly second: MessageId;
  /** The moment before the connection ends. */
  readonly since: string;
};

/** Sends two messages. The relay swallows the first one, so that it stays in flight. */
async function begin(customer: Customer): Promise<Begun> {
  const recipient = await fixture().recipient();
  fixture().relay.faults.messages({ kind: 'swallow-before-acknowledgement' }, { from: customer.number, to: recipient });
  const [first = 'msg_', second = 'msg_'] = await fixture().sendTexts(customer, recipient, ['first', 'second']);
  await fixture().relay.journal.when((entry) => entry.kind === 'message' && entry.recipient === recipient);
  expect(await fixture().message(first)).toMatchObject({ status: 'sending' });
  return { recipient, first, second, since: await fixture().moment() };
}

type Strike = (customer: Customer) => Promise<void>;

const streamEnd =
  (end: StreamEnd): Strike =>
  async (customer) =>
    (await fixture().phone(customer)).endStream(await fixture().connectionOf(customer), end);

const cut =
  (how: 'close' | 'reset' | 'mid-frame'): Strike =>
  async (customer) =>
    (await fixture().phone(customer)).cut(await fixture().connectionOf(customer), how);

/** Makes the relay refuse the next logins, and cuts the connection so that they come. */
const refusedLogin =
  (...failures: readonly LoginFailure[]): Strike =>
  async (customer) => {
    for (const failure of failures) fixture().relay.faults.logins(failure, { from: customer.number });
    await cut('reset')(customer);
  };

const words = ({ state, reason, detail }: PastState) =>
  [state, ...(reason === null ? [] : [reason]), ...(detail === null ? [] : [detail])].join(' ');

async function expectPast(customer: Customer, since: string, states: readonly string[]): Promise<void> {
  expect((await fixture().statesSince(since, customer)).map(words)).toEqual(states);
}

const lostAnd = (...states: readonly string[]) => ['connecting connection_lost', 'connecting', ...states];

describe('the device connects again by itself, and both messages go out, the first under its old id', () => {
  const rows: readonly (readonly [name: string, strike: Strike, states: readonly string[]])[] = [
    ['515 restart required', streamEnd('restart-required'), ['connecting restart_required', 'connecting', 'connected']],
    [
      '503 in the stream',
      streamEnd('service-unavailable'),
      ['connecting network_unavailable', 'connecting', 'connected'],
    ],
    ['500 in the stream', streamEnd('internal-error'), ['connecting network_unavailable', 'connecting', 'connected']],
    [
      '500 not well-formed',
      streamEnd('not-well-formed'),
      ['connecting network_unavailable', 'connecting', 'connected'],
    ],
    ['516', streamEnd('forced-logout'), ['connecting network_unavailable', 'connecting', 'connected']],
    ['428 the end of the stream', streamEnd('stream-closed'), lostAnd('connected')],
    ['428 closed', cut('close'), lostAnd('connected')],
    ['428 reset', cut('reset'), lostAnd('connected')],
    ['428 reset in mid-frame', cut('mid-frame'), lostAnd('connected')],
    [
      '440 replaced, while the lease is ours',
      streamEnd('replaced'),
      ['connecting replaced', 'connecting', 'connected'],
    ],
    [
      '503 and 500 at the login',
      refusedLogin({ reason: 503 }, { reason: 500 }),
      lostAnd(
        'connecting network_unavailable',
        'connecting',
        'connecting network_unavailable',
        'connecting',
        'connected',
      ),
    ],
    [
      '402 temporary bans, each waited out',
      refusedLogin(
        ...([101, 102, 103, 104, 106] as const).map((code) => ({ reason: 402, code, expireSeconds: 0.2 }) as const),
      ),
      lostAnd(
        'connecting temporarily_banned wrote_to_too_many_strangers',
        'connecting',
        'connecting temporarily_banned blocked_by_too_many_people',
        'connecting',
        'connecting temporarily_banned made_too_many_groups_with_strangers',
        'connecting',
        'connecting temporarily_banned sent_the_same_to_too_many_people',
        'connecting',
        'connecting temporarily_banned used_broadcast_lists_too_much',
        'connecting',
        'connected',
      ),
    ],
  ];
  let customer: Customer;
  beforeAll(async () => {
    customer = await fixture().customer();
  });
  test.for(rows)('%s', async ([, strike, states]) => {
    const { first, second, since } = await begin(customer);
    await strike(customer);
    await fixture().untilStatus(second, 'sent');
    await expectPast(customer, since, states);
    expect(await fixture().message(first)).toMatchObject({ status: 'sent', attempts: 2, unanswered: 1, reason: null });
    expect(await fixture().message(second)).toMatchObject({ attempts: 1, unanswered: 0, reason: null });
    expect(await fixture().device(customer)).toMatchObject({ state: 'connected', stateReason: null, stateUntil: null });
    // No login came before the time that a ban named.
    const until = (await fixture().statesSince(since, customer)).flatMap((past) => past.until ?? []);
    const logins = until.length === 0 ? [] : fixture().logins(customer).slice(-until.length);
    until.forEach((time, i) => expect(logins[i]?.at.getTime()).toBeGreaterThanOrEqual(time.getTime()));
  });
});

type Wait = readonly [name: string, failure: LoginFailure, reason: string, detail: string | null, waitMs: number];

test('the device waits until the time that the network named, and loses and sends no message', async () => {
  const minutes = 60_000;
  const rows: readonly Wait[] = [
    ['405 client too old', { reason: 405 }, 'client_outdated', builtInVersion, 15 * minutes],
    ['409 user agent', { reason: 409 }, 'client_outdated', builtInVersion, 15 * minutes],
    [
      '402 temporary ban for a day',
      { reason: 402, code: 104, expireSeconds: 86_400 },
      'temporarily_banned',
      'sent_the_same_to_too_many_people',
      24 * 60 * minutes,
    ],
  ];
  const bystander = await fixture().customer();
  const waiting = await Promise.all(rows.map(async (row) => ({ ...(await startWait(row)), row })));
  const logins = () => waiting.map(({ customer }) => fixture().logins(customer).length);
  const before = logins();
  await fixture().passRound(bystander);
  expect(logins()).toEqual(before);
  for (const { customer, first, second, row } of waiting) {
    const [name] = row;
    expect(await fixture().message(first), name).toMatchObject({ status: 'sending', attempts: 1 });
    expect(await fixture().message(second), name).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await fixture().credentials(customer), name).toBeGreaterThan(0);
  }
});

async function startWait([name, failure, stateReason, stateDetail, waitMs]: Wait) {
  const customer = await fixture().customer();
  const begun = await begin(customer);
  const before = Date.now();
  await refusedLogin(failure)(customer);
  await waitUntil(async () => (await fixture().device(customer)).stateUntil, { what: `${name}: it says until when` });
  const { stateUntil, ...device } = await fixture().device(customer);
  expect(device, name).toMatchObject({ state: 'connecting', linked: true, stateReason, stateDetail });
  expect(stateUntil?.getTime(), name).toBeGreaterThanOrEqual(before + waitMs);
  expect(stateUntil?.getTime(), name).toBeLessThanOrEqual(Date.now() + waitMs);
  return { customer, ...begun };
}

describe('the device stops and waits for a person; the message in flight is unknown, the other one fails', () => {
  const unlinked = (reason: string) => ({ state: 'disconnected', stateReason: reason, stateDetail: null });
  const banned = (detail: string) => ({ state: 'banned', stateReason: 'banned', stateDetail: detail });
  const rows: readonly (readonly [name: string, strike: Strike, device: object])[] = [
    ['401 unlinked on the phone', streamEnd('device-removed'), unlinked('logged_out')],
    ['401 at the login', refusedLogin({ reason: 401 }), unlinked('logged_out')],
    ['411 in the stream', streamEnd('downgraded'), unlinked('credentials_invalid')],
    ['411 at the login', refusedLogin({ reason: 411 }), unlinked('credentials_invalid')],
    ['403 at the login', refusedLogin({ reason: 403 }), banned('account_locked')],
    ['406 at the login', refusedLogin({ reason: 406 }), banned('account_banned')],
  ];
  let customer: Customer;
  beforeAll(async () => {
    customer = await fixture().customer({ quota: 100 });
  });
  test.for(rows)('%s: its keys are erased, and it sends after a new link', async ([, strike, device]) => {
    const { recipient, first, second } = await begin(customer);
    const quota = (await fixture().remainingQuota(customer)) ?? 0;
    await strike(customer);
    await fixture().untilStatus(first, 'unknown');
    await fixture().untilStatus(second, 'failed');
    expect(await fixture().message(first)).toMatchObject({ reason: 'device_unlinked', attempts: 1 });
    expect(await fixture().message(second)).toMatchObject({ reason: 'device_unlinked', attempts: 0 });
    expect(await fixture().remainingQuota(customer)).toBe(quota + 1);
    expect(await fixture().device(customer)).toMatchObject({ ...device, linked: false });
    expect(await fixture().credentials(customer)).toBe(0);
    await waitUntil(async () => (await fixture().owner(customer.deviceId)) === null, {
      what: 'its lease is given back',
    });
    await fixture().linkByQr(customer);
    expect(await fixture().device(customer)).toMatchObject({ stateReason: null, stateDetail: null });
    await fixture().untilStatus(await fixture().sendOne(customer, { recipient, text: 'third' }), 'sent');
  });
});

test('the device tries again until the network can be reached', async () => {
  const customer = await fixture().customer();
  const { second, since } = await begin(customer);
  await fixture().way.cut();
  await waitUntil(async () => (await fixture().statesSince(since, customer)).length > 6, { what: 'it was tried' });
  await fixture().way.restore();
  await fixture().untilStatus(second, 'sent');
  const [lost, ...tries] = (await fixture().statesSince(since, customer)).map(words);
  expect(lost).toBe('connecting connection_lost');
  expect(new Set(tries)).toEqual(new Set(['connecting', 'connecting network_unavailable', 'connected']));
  expect(tries.at(-1)).toBe('connected');
});

/** Stores a private proxy, as an earlier version allowed it. */
async function setPrivateProxy(customer: Customer, port: number): Promise<void> {
  const { accountId, deviceId } = customer;
  const { database, sealer } = fixture();
  await changeDevice(database, sealer, accountId, deviceId, { proxyUrl: `socks5://127.0.0.1:${port}` });
  await waitUntil(async () => (await fixture().device(customer)).stateReason === 'proxy_not_allowed', {
    what: 'the device says why',
  });
  expect(await fixture().device(customer)).toMatchObject({ state: 'connecting', linked: true });
}

test('nothing connects to a stored private proxy, and the device shows it; without the proxy it sends again', async () => {
  const customer = await fixture().customer();
  let connections = 0;
  const proxy = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  // A TCP server has an address object, not a pipe name.
  const { port } = proxy.address() as AddressInfo;
  await setPrivateProxy(customer, port);
  expect(connections).toBe(0);
  const { accountId, deviceId } = customer;
  const { database, sealer } = fixture();
  await changeDevice(database, sealer, accountId, deviceId, { proxyUrl: null });
  await fixture().untilState(customer, 'connected');
  const recipient = await fixture().recipient();
  await fixture().untilStatus(await fixture().sendOne(customer, { recipient, text: 'Halo' }), 'sent');
  proxy.close();
});

test('a device whose stored proxy is refused can be unlinked, and its waiting message fails and costs nothing', async () => {
  const customer = await fixture().customer({ quota: 3 });
  await setPrivateProxy(customer, 1);
  const waiting = await fixture().sendOne(customer, { recipient: await fixture().recipient(), text: 'Halo' });
  expect(await requestUnlink(fixture().database, customer.accountId, customer.deviceId)).toBe(true);
  await fixture().untilState(customer, 'disconnected');
  expect(await fixture().device(customer)).toMatchObject({ linked: false, stateReason: 'not_logged_out' });
  expect(await fixture().credentials(customer)).toBe(0);
  await fixture().untilStatus(waiting, 'failed');
  expect(await fixture().message(waiting)).toMatchObject({ reason: 'device_unlinked', attempts: 0 });
  expect(await fixture().remainingQuota(customer)).toBe(3);
});
