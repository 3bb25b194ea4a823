import { type CredentialChange, CredentialsUnreadable } from '@kurir/network';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import { initAuthCreds } from 'baileys';
import { describe, expect, test, vi } from 'vitest';
import { storeWith, withRelayFixture } from '../../test/relay-fixture.js';
import { loginRow } from './device-rows.js';
import { DeviceState } from './device-state.js';

const NUMBER = { id: '4915100000001:1@s.whatsapp.net' };

class CountingStore extends MemoryCredentials {
  readonly reads: string[] = [];
  readonly writes: (readonly CredentialChange[])[] = [];

  override read(kind: string, ids: readonly string[]) {
    this.reads.push(`${kind}/${ids.join('+')}`);
    return super.read(kind, ids);
  }

  override write(changes: readonly CredentialChange[]) {
    this.writes.push(changes);
    return super.write(changes);
  }
}

async function stateOn(store: MemoryCredentials, onTrouble: (error: unknown) => void = () => undefined) {
  await store.write([loginRow({ ...initAuthCreds(), me: NUMBER })]);
  const state = await DeviceState.read(store, onTrouble);
  if (!state) throw new Error('the login was not read');
  return state;
}

describe('the rows of a device', () => {
  test('a commit of several kinds is one write, one row per key', async () => {
    const store = new CountingStore();
    const { auth } = await stateOn(store);
    store.writes.length = 0;
    await auth.keys.set({
      session: { 'a.0': Buffer.from('one'), 'a.1': null },
      'lid-mapping': { '49': '200' },
    });
    expect(store.writes.map((changes) => changes.map(({ kind, id, value }) => [kind, id, value === null]))).toEqual([
      [
        ['session', 'a.0', false],
        ['session', 'a.1', true],
        ['lid-mapping', '49', false],
      ],
    ]);
    expect(await auth.keys.get('session', ['a.0', 'a.1'])).toEqual({ 'a.0': Buffer.from('one') });
  });

  test('a row that was read, written or absent is not read again; another session reads it from the store', async () => {
    const store = new CountingStore();
    const { auth } = await stateOn(store);
    await auth.keys.set({ session: { 'a.0': Buffer.from('one') } });
    store.reads.length = 0;
    for (let i = 0; i < 3; i += 1) await auth.keys.get('session', ['a.0', 'a.1']);
    expect(store.reads).toEqual(['session/a.1']);
    const later = await DeviceState.read(store, () => undefined);
    expect(await later?.auth.keys.get('session', ['a.0'])).toEqual({ 'a.0': Buffer.from('one') });
  });

  test('the list of all contacts is never written', async () => {
    const store = new CountingStore();
    const { auth } = await stateOn(store);
    store.writes.length = 0;
    await auth.keys.set({ tctoken: { __index: { token: Buffer.from('["a"]') } } });
    expect(store.writes).toEqual([]);
    expect(await auth.keys.get('tctoken', ['__index'])).toEqual({});
  });

  test('the first refused write is reported, and nothing is written after it', async () => {
    const store = new CountingStore();
    const onTrouble = vi.fn<(error: unknown) => void>();
    const { auth } = await stateOn(store, onTrouble);
    store.writes.length = 0;
    store.refuse();
    const writes = ['a', 'b', 'c'].map(async (id) => auth.keys.set({ session: { [id]: Buffer.from(id) } }));
    expect((await Promise.allSettled(writes)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(store.writes).toHaveLength(1);
    expect(onTrouble).toHaveBeenCalledTimes(1);
  });

  test('after its end a session writes nothing', async () => {
    const store = new CountingStore();
    const state = await stateOn(store);
    await state.close();
    store.writes.length = 0;
    await expect(state.auth.keys.set({ session: { a: Buffer.from('late') } })).rejects.toThrow();
    expect(store.writes).toEqual([]);
  });
});

describe('credentials that cannot be used stop the device, not the worker', () => {
  const damaged = [Buffer.from('no json'), Buffer.from('{}'), Buffer.from('null'), new Uint8Array()];
  for (const value of damaged) {
    test(
      `a login row of ${JSON.stringify(value.toString())} makes the device link again`,
      withRelayFixture(async (fixture) => {
        await fixture.link();
        const { ends } = fixture.connect({ credentials: storeWith(fixture.credentials, { kind: 'login', value }) });
        await waitUntil('the session ended', () => ends.length > 0);
        expect(ends).toEqual([{ reason: 'credentials_invalid', next: 'relink' }]);
      }),
    );
  }

  for (const kind of ['login', 'session'] as const) {
    test(
      `a ${kind} row that cannot be opened waits for the right master key and erases nothing`,
      withRelayFixture(async (fixture) => {
        await fixture.link();
        const value = new CredentialsUnreadable('sealed with another key');
        const { ends, session, connections } = fixture.connect({
          credentials: storeWith(fixture.credentials, { kind, value }),
        });
        await waitUntil('it connected or ended', () => connections.length + ends.length > 0);
        await session.send(fixture.message((await fixture.person()).number));
        await waitUntil('the session ended', () => ends.length > 0);
        expect(ends).toMatchObject([{ reason: 'credentials_unreadable', next: 'wait' }]);
        expect(ends[0]?.until?.getTime()).toBeGreaterThan(Date.now());
      }),
    );
  }

  test(
    'a damaged row of a recipient ends the session without asking to link again',
    withRelayFixture(async (fixture) => {
      await fixture.link();
      const row = { kind: 'lid-mapping', value: Buffer.from('{') };
      const { ends, session } = fixture.connect({ credentials: storeWith(fixture.credentials, row) });
      const { number } = await fixture.person();
      await session.send(fixture.message(number));
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toMatchObject([{ reason: 'credentials_unreadable', next: 'wait' }]);
    }),
  );

  test(
    'a lease that is lost while sending ends the session: check the lease',
    withRelayFixture(async (fixture) => {
      const { session, ends } = await fixture.online();
      const { number } = await fixture.person();
      expect(await session.send(fixture.message(number))).toEqual({ kind: 'sent' });
      fixture.credentials.refuse();
      await session.send(fixture.message(number));
      await waitUntil('the session ended', () => ends.length > 0);
      expect(ends).toEqual([{ reason: 'connection_lost', next: 'check-lease' }]);
    }),
  );
});
