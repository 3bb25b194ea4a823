/** How a device comes to be linked, and how it does not. */
import { createAccount, requestLinkCancel } from '@kurir/database';
import type { CredentialStore, Driver } from '@kurir/network';
import { wakeHolder } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import type { Customer } from '../../test/account-fixture.js';

const fixture = useWorkerFixture();

async function startUnlinked(): Promise<Customer> {
  fixture().startWorker();
  return fixture().unlinkedDevice(await createAccount(fixture().database, 'test'));
}

async function untilReleased({ deviceId }: Customer): Promise<void> {
  await waitUntil(async () => (await fixture().owner(deviceId)) === null, { what: 'the lease is given back' });
}

describe('linking', () => {
  test('by QR shows a code, keeps what the phone gave and connects', async () => {
    const customer = await startUnlinked();
    await fixture().askForQr(customer);
    const code = await fixture().shownCode(customer);
    expect(await fixture().device(customer)).toMatchObject({ state: 'pairing', linked: false });
    await fixture().network.ask(`/phones/${customer.number}/scan`, { code });
    await fixture().untilState(customer, 'connected');
    expect(await fixture().device(customer)).toMatchObject({
      linked: true,
      phoneNumber: customer.number,
      pairingCode: null,
    });
    expect(await fixture().credentials(customer)).toBe(1);
  });

  test('by pairing code works for the phone that it was asked for', async () => {
    const customer = await startUnlinked();
    await fixture().askForLink(customer, { method: 'pairing_code', phoneNumber: customer.number });
    const code = await fixture().shownCode(customer);
    expect(code).toMatch(/^[A-Z0-9]{8}$/);
    await fixture().network.ask(`/phones/${customer.number}/pair`, { code });
    await fixture().untilState(customer, 'connected');
    expect(await fixture().device(customer)).toMatchObject({ linked: true, phoneNumber: customer.number });
  });

  test('shows the newest code until nobody scanned any; then it has expired and the device is given back', async () => {
    await fixture().withNetwork({ codeLifetimeMs: 300, codeRounds: 3 }, async () => {
      const customer = await startUnlinked();
      await fixture().askForQr(customer);
      const first = await fixture().shownCode(customer);
      await waitUntil(async () => (await fixture().shownCode(customer)) !== first, { what: 'another code is shown' });
      await fixture().untilState(customer, 'disconnected');
      expect(await fixture().device(customer)).toMatchObject({ stateReason: 'link_expired', pairingCode: null });
      await untilReleased(customer);
    });
  });

  test('that is not wanted any more is cancelled, and its code is worthless', async () => {
    const customer = await startUnlinked();
    await fixture().askForQr(customer);
    const code = await fixture().shownCode(customer);
    await fixture().query(`UPDATE devices SET desired_state = 'unlinked' WHERE id = $1`, [customer.deviceId]);
    await wakeHolder(fixture().queue, customer.deviceId);
    await fixture().untilState(customer, 'disconnected');
    expect(await fixture().device(customer)).toMatchObject({ stateReason: 'link_cancelled', linked: false });
    await expect(fixture().network.ask(`/phones/${customer.number}/scan`, { code })).rejects.toThrow('404');
    await untilReleased(customer);
  });

  test('cancelled and asked for again in the same moment shows a code that links', async () => {
    const customer = await startUnlinked();
    await fixture().askForQr(customer);
    for (let i = 0; i < 8; i++) {
      await fixture().shownCode(customer);
      expect(await requestLinkCancel(fixture().database, customer.accountId, customer.deviceId)).toBe(true);
      await wakeHolder(fixture().queue, customer.deviceId);
      await fixture().askForQr(customer);
    }
    const code = await fixture().shownCode(customer);
    await fixture().network.ask(`/phones/${customer.number}/scan`, { code });
    await fixture().untilState(customer, 'connected');
  });

  test('asked for in another way shows the code of that way', async () => {
    const customer = await startUnlinked();
    await fixture().askForQr(customer);
    expect(await fixture().shownCode(customer)).toMatch(/^kurir-sim:/);
    await fixture().askForLink(customer, { method: 'pairing_code', phoneNumber: customer.number });
    const code = await waitUntil(
      async () => {
        const shown = await fixture().shownCode(customer);
        return !shown.startsWith('kurir-sim:') && shown;
      },
      { what: 'a code to type is shown' },
    );
    await fixture().network.ask(`/phones/${customer.number}/pair`, { code });
    await fixture().untilState(customer, 'connected');
    expect(await fixture().device(customer)).toMatchObject({ linked: true, phoneNumber: customer.number });
  });

  test('asked for again in the same way shows its code again', async () => {
    const customer = await startUnlinked();
    const pairing = { method: 'pairing_code', phoneNumber: customer.number } as const;
    await fixture().askForLink(customer, pairing);
    const code = await fixture().shownCode(customer);
    await fixture().askForLink(customer, pairing);
    expect(await fixture().shownCode(customer)).toBe(code);
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
    const { supervisor, stop } = fixture().openSupervisor({ wrapDriver });
    const customer = await fixture().unlinkedDevice(await createAccount(fixture().database, 'test'));
    await fixture().askForQr(customer);
    await supervisor.balance();
    await fixture().network.ask(`/phones/${customer.number}/scan`, { code: await fixture().shownCode(customer) });
    await waitUntil(() => storing, { what: 'the phone has linked it' });
    const stopped = stop();
    // Time enough to give the lease away.
    await fixture().query('SELECT pg_sleep(0.1)');
    store();
    await stopped;
    expect(await fixture().device(customer)).toMatchObject({ linked: true, phoneNumber: customer.number });
    expect(await fixture().credentials(customer)).toBe(1);
  });

  test('under way at a worker that stops is begun anew by the next one', async () => {
    const first = fixture().startWorker();
    const customer = await fixture().unlinkedDevice(await createAccount(fixture().database, 'test'));
    await fixture().askForQr(customer);
    const stale = await fixture().shownCode(customer);
    await first.stop();
    fixture().startWorker();
    const code = await waitUntil(
      async () => {
        const shown = await fixture().shownCode(customer);
        return shown !== stale && shown;
      },
      { what: 'a new code is shown' },
    );
    await fixture().network.ask(`/phones/${customer.number}/scan`, { code });
    await fixture().untilState(customer, 'connected');
  });
});
