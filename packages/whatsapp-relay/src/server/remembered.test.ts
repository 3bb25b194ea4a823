import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type RememberedRelay } from '../index.js';
import { readRemembered, writeRemembered } from './remembered.js';
import { Companion, Credentials, logIn } from '../../test/companion.js';

const sender = '4915100000001';
const receiver = '4915100000002';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurir-relay-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a relay that continues from the memory of another one', () => {
  it('knows the linked companion, delivers what waited for it, and has the same identity', async () => {
    const file = join(folder, 'state');
    const credentials = new Credentials();
    const first = await createRelay();
    const linking = new Companion(first, credentials);
    const own = await first.createPhone(sender);
    own.setMigrated(false);
    await own.scan(await linking.qr());
    await linking.closed();
    const online = await logIn(first, credentials);
    await online.close();
    const friend = await createRecipient(first, receiver);
    const waiting = await friend.send(sender, 'sent while it was away');
    writeRemembered(file, first.remember());
    await friend.close();
    await first.close();

    const second = await createRelay({ remembered: readRemembered(file) as RememberedRelay });
    expect(Buffer.from(second.rootPublicKey)).toEqual(Buffer.from(first.rootPublicKey));
    const companion = await logIn(second, credentials);
    await companion.messages.when(({ key }) => key.id === waiting);
    const phone = await second.createPhone(receiver);
    for (const { id } of phone.devices()) phone.unlink(id);
    const reader = await createRecipient(second, receiver, friend.inbox);
    await companion.send(receiver, 'after the restart', 'AFTER');
    expect(await reader.received('AFTER')).toMatchObject({ from: sender, text: 'after the restart', copies: 1 });
    await companion.close();
    await reader.close();
    await second.close();
  });

  it('does not know a companion that was unlinked', async () => {
    const first = await createRelay();
    const credentials = new Credentials();
    const linking = new Companion(first, credentials);
    const phone = await first.createPhone(sender);
    await phone.scan(await linking.qr());
    await linking.closed();
    phone.unlink(1);
    const second = await createRelay({ remembered: first.remember() });
    expect((await second.createPhone(sender)).devices()).toEqual([]);
    await first.close();
    await second.close();
  });
});

it('a relay completes the memory of an earlier version', async () => {
  const first = await createRelay();
  await first.createPhone(sender);
  const remembered = first.remember();
  await first.close();
  const earlier = remembered.accounts.map(({ number, lid, identity, devices, contacts }) => {
    return { number, lid, identity, devices, contacts, reportsDeliveries: true, nextDeviceId: 4 };
  });
  // The type describes the present version.
  const second = await createRelay({ remembered: { ...remembered, accounts: earlier } as unknown as RememberedRelay });
  const phone = await second.createPhone(sender);
  expect({ isMigrated: phone.isMigrated, saltBytes: phone.nctSalt.length }).toEqual({
    isMigrated: true,
    saltBytes: 32,
  });
  await second.close();
});

it('a missing file is no state, and the error for a damaged one says what to do', () => {
  expect(readRemembered(join(folder, 'none'))).toBeNull();
  writeFileSync(join(folder, 'damaged'), 'half a file');
  expect(() => readRemembered(join(folder, 'damaged'))).toThrow('remove it');
});
