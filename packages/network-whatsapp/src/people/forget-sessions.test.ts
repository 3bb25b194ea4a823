/**
 * A restored backup meets people whose sessions have moved on: which messages they can read with and without forgetting
 * the sessions.
 */
import type { OutgoingMessage } from '@kurir/network';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import type { Recipient } from '@kurir/whatsapp-relay';
import { describe, expect, test } from 'vitest';
import { type Recorded, type RelayFixture, withRelayFixture } from '../../test/relay-fixture.js';
import { decodeLogin, encodeRow, LOGIN_ID, LOGIN_KIND } from '../store/device-rows.js';
import { forgetSessions } from './forget-sessions.js';

const contacts = 2;

type Talk = { readonly online: Recorded; readonly people: readonly Recipient[] };

/** Each side writes once to the other, so that every ratchet takes a step. */
async function exchange(fixture: RelayFixture, { online, people }: Talk, send = sender(online)): Promise<void> {
  for (const person of people) {
    const message = fixture.message(person.number);
    await send(message);
    await person.received(message.networkMessageId);
    const before = online.inbound.length;
    await person.send(fixture.phone.number, 'Halo juga');
    await waitUntil('the answer came', () => online.inbound.length > before);
  }
}

const sender =
  ({ session }: Recorded) =>
  async (message: OutgoingMessage): Promise<void> =>
    expect(await session.send(message)).toEqual({ kind: 'sent' });

/** People whose sessions have moved on since the backup. The device's session is closed. */
async function backupOf(fixture: RelayFixture): Promise<{ backup: MemoryCredentials; people: readonly Recipient[] }> {
  const online = await fixture.online();
  const people = [];
  for (let i = 0; i < contacts; i++) people.push(await fixture.person());
  await exchange(fixture, { online, people });
  const backup = fixture.credentials.backup();
  for (let i = 0; i < 3; i++) await exchange(fixture, { online, people });
  await online.session.close();
  return { backup, people };
}

/** A session on the backup. It can read sent messages, as the database can. */
async function restored(fixture: RelayFixture, credentials: MemoryCredentials) {
  const sent = new Map<string, OutgoingMessage>();
  const online = await fixture.connected({ credentials, readMessage: async (id) => sent.get(id) ?? null });
  const send = async (message: OutgoingMessage) => {
    sent.set(message.networkMessageId, message);
    await sender(online)(message);
  };
  return { online, send };
}

const retries = (fixture: RelayFixture, number: string, since: number) =>
  fixture.relay.journal.counters({ from: number, since }).retryReceipts;

async function loginOf(credentials: MemoryCredentials) {
  const row = (await credentials.read(LOGIN_KIND, [LOGIN_ID])).get(LOGIN_ID);
  if (row === undefined) throw new Error('there is no login');
  return decodeLogin(row);
}

describe('a restored backup', () => {
  test(
    'whose sessions were not forgotten: each contact cannot read the first message, and asks for it again',
    withRelayFixture(async (fixture) => {
      const { backup, people } = await backupOf(fixture);
      const { send } = await restored(fixture, backup);
      for (const { number, received } of people) {
        const since = fixture.relay.journal.position;
        const message = fixture.message(number);
        await send(message);
        await received(message.networkMessageId);
        expect(retries(fixture, number, since)).toBeGreaterThan(0);
      }
    }),
  );

  test(
    'whose sessions were forgotten, even twice: each contact reads the first message at once, and the device reads each contact after at most one retry',
    withRelayFixture(async (fixture) => {
      const { backup, people } = await backupOf(fixture);
      for (let i = 0; i < 2; i++) await fixture.driver.forgetSessions?.(backup);
      const { online, send } = await restored(fixture, backup);
      for (const { number, received } of people) {
        const since = fixture.relay.journal.position;
        const message = fixture.message(number);
        await send(message);
        await received(message.networkMessageId);
        expect(retries(fixture, number, since)).toBe(0);
      }
      const since = fixture.relay.journal.position;
      await exchange(fixture, { online, people }, send);
      expect(retries(fixture, fixture.phone.number, since)).toBeLessThanOrEqual(people.length);
    }),
  );
});

describe('a restored backup whose sessions were forgotten', () => {
  test(
    'reads a new contact at once, with a pre-key that the network still had, and an old contact after one retry with keys',
    withRelayFixture(async (fixture) => {
      const { backup, people } = await backupOf(fixture);
      await fixture.driver.forgetSessions?.(backup);
      const { online } = await restored(fixture, backup);
      const stranger = await fixture.person();
      const since = fixture.relay.journal.position;
      await stranger.send(fixture.phone.number, 'Halo');
      await waitUntil('the stranger is heard', () => online.inbound.length === 1);
      expect(retries(fixture, fixture.phone.number, since)).toBe(0);
      for (const person of people) await person.send(fixture.phone.number, 'Halo');
      const heard = () => online.inbound.filter(({ kind }) => kind === 'message').length;
      await waitUntil('the contacts are heard', () => heard() === 1 + people.length);
      // Baileys first asks without its keys, and puts them into the second request.
      expect(retries(fixture, fixture.phone.number, since)).toBeLessThanOrEqual(2 * people.length);
    }),
  );

  test(
    'uploads pre-keys with unused ids at the next login',
    withRelayFixture(async (fixture) => {
      const { backup } = await backupOf(fixture);
      const { nextPreKeyId } = await loginOf(fixture.credentials);
      await fixture.driver.forgetSessions?.(backup);
      const raised = await loginOf(backup);
      expect(raised.nextPreKeyId).toBeGreaterThan(nextPreKeyId + 10_000);
      expect(raised.firstUnuploadedPreKeyId).toBe(raised.nextPreKeyId);
      const uploads = () =>
        fixture.relay.journal.of('query', { since }).filter(({ query }) => query === 'pre-key-upload');
      const since = fixture.relay.journal.position;
      await restored(fixture, backup);
      await waitUntil('pre-keys are uploaded', () => uploads().length === 1);
      await waitUntil('they are stored', async () => (await loginOf(backup)).nextPreKeyId > raised.nextPreKeyId);
      const { nextPreKeyId: next } = await loginOf(backup);
      const ids = Array.from({ length: next - raised.nextPreKeyId }, (_, i) => String(raised.nextPreKeyId + i));
      expect((await backup.read('pre-key', ids)).size).toBe(ids.length);
    }),
  );
});

describe('forgetting', () => {
  const kinds = ['session', 'sender-key', 'device-list', 'identity-key', 'recipient-devices', 'recipient-address'];
  const kept = ['login', 'tctoken', 'lid-mapping', 'pre-key', 'app-state-sync-key'];

  /** The login of a linked device. The test needs only these parts. */
  const login = (nextPreKeyId: number) => ({
    noiseKey: {},
    signedIdentityKey: {},
    me: { id: '1' },
    nextPreKeyId,
    firstUnuploadedPreKeyId: nextPreKeyId,
  });

  async function store(nextPreKeyId: number): Promise<MemoryCredentials> {
    const credentials = new MemoryCredentials();
    const rows = [...kinds, ...kept].map((kind) => ({ kind, id: 'a', value: encodeRow('x') }));
    await credentials.write([...rows, { kind: LOGIN_KIND, id: LOGIN_ID, value: encodeRow(login(nextPreKeyId)) }]);
    return credentials;
  }

  test('erases the sessions, but not the login, the tokens, the LIDs or the pre-keys', async () => {
    const credentials = await store(813);
    await forgetSessions(credentials);
    for (const kind of kinds) expect((await credentials.read(kind, ['a'])).size, kind).toBe(0);
    for (const kind of kept) expect((await credentials.read(kind, ['a'])).size, kind).toBe(1);
  });

  test('keeps the ids of pre-keys within three bytes, also when it runs many times', async () => {
    const credentials = await store(813);
    const seen = new Set<number>();
    for (let i = 0; i < 160; i++) {
      await forgetSessions(credentials);
      seen.add((await loginOf(credentials)).nextPreKeyId);
    }
    expect(seen.size).toBe(160);
    for (let i = 0; i < 20; i++) await forgetSessions(credentials);
    expect((await loginOf(credentials)).nextPreKeyId).toBeLessThan(0xff_ff_ff);
  });

  test('changes nothing of a device that was never linked, or whose login is damaged: the next session reports it', async () => {
    await forgetSessions(new MemoryCredentials());
    const credentials = await store(813);
    await credentials.write([{ kind: LOGIN_KIND, id: LOGIN_ID, value: Buffer.from('{"a') }]);
    await forgetSessions(credentials);
    expect((await credentials.read('session', ['a'])).size).toBe(1);
  });

  test('rejects and changes nothing when another worker holds the device', async () => {
    const credentials = await store(813);
    const before = credentials.backup();
    credentials.refuse();
    await expect(forgetSessions(credentials)).rejects.toThrow('lease');
    expect(credentials.rowCount).toBe(before.rowCount);
  });
});
