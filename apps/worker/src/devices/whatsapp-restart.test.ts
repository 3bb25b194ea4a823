/** A worker starts with devices that are linked already. */
import type { ConnectOptions, Driver, Session } from '@kurir/network';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { patienceMs } from '../../test/surroundings.js';
import { useWhatsappFixture } from '../../test/whatsapp-fixture.js';

const fixture = useWhatsappFixture();

const devices = 20;
const atOnce = 5;

/** Counts the sessions of a driver that are neither connected nor over. */
class Connecting {
  most = 0;
  #now = 0;

  watch(driver: Driver): Driver {
    return { ...driver, connect: (options) => this.#connect(driver, options) };
  }

  #connect(driver: Driver, options: ConnectOptions): Session {
    let under = true;
    const done = (): void => {
      if (under) this.#now--;
      under = false;
    };
    this.#now++;
    this.most = Math.max(this.most, this.#now);
    const connected = (): void => {
      done();
      options.events.connected();
    };
    const ended: ConnectOptions['events']['ended'] = (end) => {
      done();
      options.events.ended(end);
    };
    return driver.connect({ ...options, events: { ...options.events, connected, ended } });
  }
}

async function linkedDevices(customers: readonly Customer[]) {
  const phones = await Promise.all(customers.map((customer) => fixture().phone(customer)));
  return phones.map((phone) => phone.devices().map(({ id, connected }) => ({ id, connected })));
}

async function untilLinks(customers: readonly Customer[], connected: boolean): Promise<void> {
  const what = `all devices are ${connected ? 'connected' : 'gone'}`;
  const each = async () => (await linkedDevices(customers)).flat().every((device) => device.connected === connected);
  await waitUntil(each, { what, timeoutMs: 2 * patienceMs });
}

async function linkMany(count: number): Promise<Customer[]> {
  const first = await fixture().customer();
  const customers = [first];
  while (customers.length < count) {
    const some = Array.from({ length: Math.min(atOnce, count - customers.length) }, () =>
      fixture().anotherDevice(first.accountId),
    );
    customers.push(...(await Promise.all(some)));
  }
  return customers;
}

test(
  'a worker connects all linked devices again, only so many at a time, and links none again',
  async () => {
    const customers = await linkMany(devices);
    await fixture().stopWorkers();
    await untilLinks(customers, false);
    const before = (await linkedDevices(customers)).map((each) => each.map(({ id }) => id));

    const connecting = new Connecting();
    fixture().startWhatsappWorker({ wrapDriver: (driver) => connecting.watch(driver) });
    await untilLinks(customers, true);
    for (const customer of customers) await fixture().untilState(customer, 'connected', 2 * patienceMs);

    expect(connecting.most).toBe(atOnce);
    expect((await linkedDevices(customers)).map((each) => each.map(({ id }) => id))).toEqual(before);
    expect(fixture().relay.journal.of('linked')).toHaveLength(devices);
  },
  6 * patienceMs,
);
