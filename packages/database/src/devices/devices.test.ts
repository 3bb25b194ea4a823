import { describe, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { createAccount } from '../accounts/accounts.js';
import { writeLinkEnd, writePairingCode } from '../sessions/device-session.js';
import { writeLinked } from '../sessions/write-linked.js';
import { takeLeases } from '../sessions/leases.js';
import { createDevice } from './create-device.js';
import { listDevices, readDevice, requestLink, requestLinkCancel, requestUnlink } from './devices.js';

const fixture = useDatabaseFixture();
const byQr = { method: 'qr', phoneNumber: null } as const;

async function newDevice() {
  const accountId = await createAccount(fixture().database, 'test');
  const device = { accountId, name: 'phone', network: 'simulator', pacePerMinute: null } as const;
  return { accountId, deviceId: await createDevice(fixture().database, device) };
}

async function taken(deviceId: string) {
  const leases = await takeLeases(fixture().database, 'wrk_a', 0, 1_000, 1_000);
  const lease = leases.find((each) => each.deviceId === deviceId);
  if (lease === undefined) throw new Error('the device was not taken');
  return { ...lease, owner: 'wrk_a' };
}

describe('a device', () => {
  test('is disconnected until somebody links it, and only its account sees it', async () => {
    const { accountId, deviceId } = await newDevice();
    const { accountId: stranger } = await newDevice();
    expect(await readDevice(fixture().database, accountId, deviceId)).toMatchObject({
      state: 'disconnected',
      linked: false,
      acceptsSends: false,
      pairingCode: null,
    });
    expect(await readDevice(fixture().database, stranger, deviceId)).toBeNull();
    expect((await listDevices(fixture().database, accountId)).map(({ id }) => id)).toEqual([deviceId]);
  });

  test('shows its newest code while the code is valid, and none after it is linked', async () => {
    const { accountId, deviceId } = await newDevice();
    const shown = async () => (await readDevice(fixture().database, accountId, deviceId))?.pairingCode;
    expect(await requestLink(fixture().database, accountId, deviceId, byQr)).toBe(true);
    const holder = await taken(deviceId);
    const inAMinute = new Date(Date.now() + 60_000);
    await writePairingCode(fixture().database, holder, 'first', inAMinute);
    await writePairingCode(fixture().database, holder, 'second', inAMinute);
    expect(await shown()).toBe('second');
    await writePairingCode(fixture().database, holder, 'late', new Date(Date.now() - 1_000));
    expect(await shown()).toBeNull();
    await writePairingCode(fixture().database, holder, 'third', inAMinute);
    await writeLinked(fixture().database, holder, '6281234567890');
    expect(await readDevice(fixture().database, accountId, deviceId)).toMatchObject({
      pairingCode: null,
      linked: true,
      state: 'connecting',
      phoneNumber: '6281234567890',
    });
  });

  describe('a device whose link attempt ends', () => {
    const inAMinute = new Date(Date.now() + 60_000);
    const end = { reason: 'link_expired', cancelled: false, shownCode: 'first' } as const;
    const cancelled = { reason: 'link_cancelled', cancelled: true, shownCode: 'first' } as const;

    async function showing() {
      const { accountId, deviceId } = await newDevice();
      const ask = () => requestLink(fixture().database, accountId, deviceId, byQr);
      await ask();
      const holder = await taken(deviceId);
      await writePairingCode(fixture().database, holder, 'first', inAMinute);
      const device = () => readDevice(fixture().database, accountId, deviceId);
      const cancel = () => requestLinkCancel(fixture().database, accountId, deviceId);
      return { holder, ask, cancel, device };
    }

    test('asks for nothing more and says why', async () => {
      const { holder, device } = await showing();
      expect(await writeLinkEnd(fixture().database, holder, end)).toBe('written');
      expect(await device()).toMatchObject({ state: 'disconnected', stateReason: 'link_expired', pairingCode: null });
    });

    test('keeps the wish of somebody who has just asked for a new link', async () => {
      const { holder, ask, device } = await showing();
      await ask();
      expect(await writeLinkEnd(fixture().database, holder, end)).toBe('asked-again');
      expect(await device()).toMatchObject({ state: 'pairing', stateReason: null });
    });

    test('keeps the wish if somebody asks again after a cancellation, before that is written', async () => {
      const { holder, ask, cancel, device } = await showing();
      await cancel();
      await ask();
      expect(await writeLinkEnd(fixture().database, holder, { ...cancelled, shownCode: null })).toBe('asked-again');
      expect(await device()).toMatchObject({ state: 'pairing', stateReason: null });
    });

    test('shows no late code, neither after a cancellation nor after it is linked', async () => {
      const { holder, cancel, device } = await showing();
      await cancel();
      expect(await writePairingCode(fixture().database, holder, 'late', inAMinute)).toBe(false);
      expect(await device()).toMatchObject({ state: 'disconnected', pairingCode: null });
      await writeLinked(fixture().database, holder, '6281234567890');
      expect(await writePairingCode(fixture().database, holder, 'later', inAMinute)).toBe(false);
      expect(await device()).toMatchObject({ state: 'connecting', pairingCode: null });
    });
  });

  test('of another account is neither linked nor unlinked', async () => {
    const { accountId, deviceId } = await newDevice();
    const { accountId: stranger } = await newDevice();
    expect(await requestLink(fixture().database, stranger, deviceId, byQr)).toBe(false);
    await fixture().query('UPDATE devices SET linked = true WHERE id = $1', [deviceId]);
    expect(await requestUnlink(fixture().database, stranger, deviceId)).toBe(false);
    expect(await requestLink(fixture().database, accountId, deviceId, byQr)).toBe(false);
    expect(await requestUnlink(fixture().database, accountId, deviceId)).toBe(true);
    expect(await requestUnlink(fixture().database, accountId, deviceId)).toBe(true);
  });

  test('cannot be unlinked when it is not linked', async () => {
    const { accountId, deviceId } = await newDevice();
    expect(await requestUnlink(fixture().database, accountId, deviceId)).toBe(false);
    await requestLink(fixture().database, accountId, deviceId, byQr);
    expect(await requestUnlink(fixture().database, accountId, deviceId)).toBe(false);
  });
});
