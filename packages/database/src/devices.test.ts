import { createDevice } from './create-device.js';
import { listDevices, readDevice, requestLink, requestUnlink } from './devices.js';
import { writeLinked, writePairingCode } from './device-session.js';
import { describe, expect, test } from 'vitest';
import { createAccount } from './accounts.js';
import { takeLeases } from './leases.js';
import { useBench } from './testing/bench.js';

const bench = useBench();
const byQr = { method: 'qr', phoneNumber: null } as const;

async function newDevice() {
  const accountId = await createAccount(bench().database, 'test');
  const device = { accountId, name: 'phone', network: 'simulator', pacePerMinute: null };
  return { accountId, deviceId: await createDevice(bench().database, device) };
}

async function taken(deviceId: string) {
  const leases = await takeLeases(bench().database, 'wrk_a', 0, 1_000, 1_000);
  const lease = leases.find((each) => each.deviceId === deviceId);
  if (lease === undefined) throw new Error('the device was not taken');
  return { ...lease, owner: 'wrk_a' };
}

describe('a device', () => {
  test('is disconnected until somebody links it, and is of its account only', async () => {
    const { accountId, deviceId } = await newDevice();
    const { accountId: stranger } = await newDevice();
    expect(await readDevice(bench().database, accountId, deviceId)).toMatchObject({
      state: 'disconnected',
      linked: false,
      acceptsSends: false,
      pairingCode: null,
    });
    expect(await readDevice(bench().database, stranger, deviceId)).toBeNull();
    expect((await listDevices(bench().database, accountId)).map(({ id }) => id)).toEqual([deviceId]);
  });

  test('that is to be linked shows its newest code while that is worth showing, and none once it is linked', async () => {
    const { accountId, deviceId } = await newDevice();
    const shown = async () => (await readDevice(bench().database, accountId, deviceId))?.pairingCode;
    expect(await requestLink(bench().database, accountId, deviceId, byQr)).toBe(true);
    const holder = await taken(deviceId);
    const inAMinute = new Date(Date.now() + 60_000);
    await writePairingCode(bench().database, holder, 'first', inAMinute);
    await writePairingCode(bench().database, holder, 'second', inAMinute);
    expect(await shown()).toBe('second');
    await writePairingCode(bench().database, holder, 'late', new Date(Date.now() - 1_000));
    expect(await shown()).toBeNull();
    await writePairingCode(bench().database, holder, 'third', inAMinute);
    await writeLinked(bench().database, holder, '6281234567890');
    expect(await readDevice(bench().database, accountId, deviceId)).toMatchObject({
      pairingCode: null,
      linked: true,
      state: 'connecting',
      phoneNumber: '6281234567890',
    });
  });

  test('of another account is neither linked nor unlinked', async () => {
    const { accountId, deviceId } = await newDevice();
    const { accountId: stranger } = await newDevice();
    expect(await requestLink(bench().database, stranger, deviceId, byQr)).toBe(false);
    await bench().query('UPDATE devices SET linked = true WHERE id = $1', [deviceId]);
    expect(await requestUnlink(bench().database, stranger, deviceId)).toBe(false);
    expect(await requestLink(bench().database, accountId, deviceId, byQr)).toBe(false);
    expect(await requestUnlink(bench().database, accountId, deviceId)).toBe(true);
    expect(await requestUnlink(bench().database, accountId, deviceId)).toBe(true);
  });

  test('that is not linked cannot be unlinked', async () => {
    const { accountId, deviceId } = await newDevice();
    expect(await requestUnlink(bench().database, accountId, deviceId)).toBe(false);
    await requestLink(bench().database, accountId, deviceId, byQr);
    expect(await requestUnlink(bench().database, accountId, deviceId)).toBe(false);
  });
});
