/** How a device comes to be linked, and how it does not. */
import { createAccount, requestLinkCancel } from '@kurir/database';
import type { CredentialStore, Driver } from '@kurir/network';
import { wakeHolder } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useBench } from './testing/bench.js';
import type { Customer } from './testing/customers.js';

const bench = useBench();

async function startUnlinked(): Promise<Customer> {
  bench().startWorker();
  return bench().unlinkedDevice(await createAccount(bench().database, 'test'));
}

async function untilReleased({ deviceId }: Customer): Promise<void> {
  await waitUntil(async () => (await bench().owner(deviceId)) === null, { what: 'the lease is given back' });
}

describe('linking', () => {
  test('by QR shows a code, keeps what the phone gave and connects', async () => {
    const customer = await startUnlinked();
    await bench().askForQr(customer);
    const code = await bench().shownCode(customer);
    expect(await bench().device(customer)).toMatchObject({ state: 'pairing', linked: false });
    await bench().network.ask(`/phones/${customer.number}/scan`, { code });
    await bench().untilState(customer, 'connected');
    expect(await bench().device(customer)).toMatchObject({
      linked: true,
      phoneNumber: customer.number,
      pairingCode: null,
    });
    expect(await bench().credentials(customer)).toBe(1);
  });

  test('by pairing code works for the phone that it was asked for', async () => {
    const customer = await startUnlinked();
    await bench().askForLink(customer, { method: 'pairing_code', phoneNumber: customer.number });
    const code = await bench().shownCode(customer);
    expect(code).toMatch(/^[A-Z0-9]{8}$/);
    await bench().network.ask(`/phones/${customer.number}/pair`, { code });
    await bench().untilState(customer, 'connected');
    expect(await bench().device(customer)).toMatchObject({ linked: true, phoneNumber: customer.number });
  });

  test('shows the newest code until nobody scanned any; then it has expired and the device is given back', async () => {
    await bench().withNetwork({ codeLifetimeMs: 300, codeRounds: 3 }, async () => {
      const customer = await startUnlinked();
      await bench().askForQr(customer);
      const first = await bench().shownCode(customer);
      await waitUntil(async () => (await bench().shownCode(customer)) !== first, { what: 'another code is shown' });
      await bench().untilState(customer, 'disconnected');
      expect(await bench().device(customer)).toMatchObject({ stateReason: 'link_expired', pairingCode: null });
      await untilReleased(customer);
    });
  });

  test('that is not wanted any more is cancelled, and its code is worthless', async () => {
    const customer = await startUnlinked();
    await bench().askForQr(customer);
    const code = await bench().shownCode(customer);
    await bench().query(`UPDATE devices SET desired_state = 'unlinked' WHERE id = $1`, [customer.deviceId]);
    await wakeHolder(bench().queue, customer.deviceId);
    await bench().untilState(customer, 'disconnected');
    expect(await bench().device(customer)).toMatchObject({ stateReason: 'link_cancelled', linked: false });
    await expect(bench().network.ask(`/phones/${customer.number}/scan`, { code })).rejects.toThrow('404');
    await untilReleased(customer);
  });

  test('cancelled and asked for again in the same moment shows a code that links', async () => {
    const customer = await startUnlinked();
    await bench().askForQr(customer);
    for (let i = 0; i < 8; i++) {
      await bench().shownCode(customer);
      expect(await requestLinkCancel(bench().database, customer.accountId, customer.deviceId)).toBe(true);
      await wakeHolder(bench().queue, customer.deviceId);
      await bench().askForQr(customer);
    }
    const code = await bench().shownCode(customer);
    await bench().network.ask(`/phones/${customer.number}/scan`, { code });
    await bench().untilState(customer, 'connected');
  });

  test('asked for in another way shows the code of that way', async () => {
    const customer = await startUnlinked();
    await bench().askForQr(customer);
    expect(await bench().shownCode(customer)).toMatch(/^kurir-sim:/);
    await bench().askForLink(customer, { method: 'pairing_code', phoneNumber: customer.number });
    const code = await waitUntil(
      async () => {
        const shown = await bench().shownCode(customer);
        return !shown.startsWith('kurir-sim:') && shown;
      },
      { what: 'a code to type is shown' },
    );
    await bench().network.ask(`/phones/${customer.number}/pair`, { code });
    await bench().untilState(customer, 'connected');
    expect(await bench().device(customer)).toMatchObject({ linked: true, phoneNumber: customer.number });
  });

  test('asked for again in the same way shows its code again', async () => {
    const customer = await startUnlinked();
    const pairing = { method: 'pairing_code', phoneNumber: customer.number } as const;
    await bench().askForLink(customer, pairing);
    const code = await bench().shownCode(customer);
    await bench().askForLink(customer, pairing);
    expect(await bench().shownCode(customer)).toBe(code);
  });

  test('that the phone completes while the worker stops is kept', async () => {
    let storing = false;
    let store = () => {};
    const mayStore = new Promise<void>((resolve) => {
      store = resolve;
    });
    const wrapDriver = (driver: Driver): Driver => ({
      ...driver,
      link(options) {
        const write: CredentialStore['write'] = async (changes) => {
          storing = true;
          await mayStore;
          await options.credentials.write(changes);
        };
        return driver.link({ ...options, credentials: { ...options.credentials, write } });
      },
    });
    const { holder, stop } = bench().openHolder({ wrapDriver });
    const customer = await bench().unlinkedDevice(await createAccount(bench().database, 'test'));
    await bench().askForQr(customer);
    await holder.balance();
    await bench().network.ask(`/phones/${customer.number}/scan`, { code: await bench().shownCode(customer) });
    await waitUntil(() => storing, { what: 'the phone has linked it' });
    const stopped = stop();
    // Time enough to give the lease away.
    await bench().query('SELECT pg_sleep(0.1)');
    store();
    await stopped;
    expect(await bench().device(customer)).toMatchObject({ linked: true, phoneNumber: customer.number });
    expect(await bench().credentials(customer)).toBe(1);
  });

  test('under way at a worker that stops is begun anew by the next one', async () => {
    const first = bench().startWorker();
    const customer = await bench().unlinkedDevice(await createAccount(bench().database, 'test'));
    await bench().askForQr(customer);
    const stale = await bench().shownCode(customer);
    await first.stop();
    bench().startWorker();
    const code = await waitUntil(
      async () => {
        const shown = await bench().shownCode(customer);
        return shown !== stale && shown;
      },
      { what: 'a new code is shown' },
    );
    await bench().network.ask(`/phones/${customer.number}/scan`, { code });
    await bench().untilState(customer, 'connected');
  });
});
