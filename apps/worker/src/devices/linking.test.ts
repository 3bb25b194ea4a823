/** Linking a device, and the ways in which it ends without a link. */
import { createAccount, requestLinkCancel } from '@kurir/database';
import type { CredentialStore, Driver } from '@kurir/network';
import { wakeOwner } from '@kurir/queue';
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
  await waitUntil(async () => (await fixture().owner(deviceId)) === null, { what: 'the lease is released' });
}

describe('linking', () => {
  test('by QR shows a code, stores the credentials and connects', async () => {
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

  test('by pairing code works for the requested phone', async () => {
    const customer = await startUnlinked();
    await fixture().askForLink(customer, { method: 'pairing_code', phoneNumber: customer.number });
    const code = await fixture().shownCode(customer);
    expect(code).toMatch(/^[A-Z0-9]{8}$/);
    await fixture().network.ask(`/phones/${customer.number}/pair`, { code });
    await fixture().untilState(customer, 'connected');
    expect(await fixture().device(customer)).toMatchObject({ linked: true, phoneNumber: customer.number });
  });

  test('shows the newest code; if nobody scans any, it expires and the worker releases the device', async () => {
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

  test('is cancelled on request, and its code no longer works', async () => {
    const customer = await startUnlinked();
    await fixture().askForQr(customer);
    const code = await fixture().shownCode(customer);
    await fixture().query(`UPDATE devices SET desired_state = 'unlinked' WHERE id = $1`, [customer.deviceId]);
    await wakeOwner(fixture().queue, customer.deviceId);
    await fixture().untilState(customer, 'disconnected');
    expect(await fixture().device(customer)).toMatchObject({ stateReason: 'link_cancelled', linked: false });
    await expect(fixture().network.ask(`/phones/${customer.number}/scan`, { code })).rejects.toThrow('404');
    await untilReleased(customer);
  });

  test('that is cancelled and requested again in the same moment shows a code that links', async () => {
    const customer = await startUnlinked();
    await fixture().askForQr(customer);
    for (let i = 0; i < 8; i++) {
      await fixture().shownCode(customer);
      expect(await requestLinkCancel(fixture().database, customer.accountId, customer.deviceId)).toBe(true);
      await wakeOwner(fixture().queue, customer.deviceId);
      await fixture().askForQr(customer);
    }
    const code = await fixture().shownCode(customer);
    await fixture().network.ask(`/phones/${customer.number}/scan`, { code });
    await fixture().untilState(customer, 'connected');
  });

  test('that is requested with another method shows the code of that method', async () => {
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

  test('that is requested again with the same method shows its code again', async () => {
    const customer = await startUnlinked();
    const pairing = { method: 'pairing_code', phoneNumber: customer.number } as const;
    await fixture().askForLink(customer, pairing);
    const code = await fixture().shownCode(customer);
    await fixture().askForLink(customer, pairing);
    expect(await fixture().shownCode(customer)).toBe(code);
  });

  test('that the phone completes while the worker stops is stored', async () => {
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
    // Long enough for the worker to release the lease by mistake.
    await fixture().query('SELECT pg_sleep(0.1)');
    store();
    await stopped;
    expect(await fixture().device(customer)).toMatchObject({ linked: true, phoneNumber: customer.number });
    expect(await fixture().credentials(customer)).toBe(1);
  });

  test('that a stopping worker has begun is begun again by the next worker', async () => {
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
