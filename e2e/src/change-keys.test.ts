/** The master key and the internal key change while messages are accepted and sent, as `docs/keys.md` says it. */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@kurir/client';
import { freePort, waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Customer, runAdmin } from './customers/customer.js';
import { TwoFactorPerson } from './customers/two-factor-person.js';
import { newPhoneNumber } from './phones/phone.js';
import { expectAllOnce } from './stack/numbered-texts.js';
import { RollingGateway } from './stack/rolling-gateway.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.stop());

const makeKey = () => randomBytes(32).toString('base64');

/** A customer whose programs send one text after another, and a person who looks at the dashboard meanwhile. */
class Load {
  readonly refusals: string[] = [];
  readonly jobIds: string[] = [];
  readonly #over = new AbortController();
  readonly #running: Promise<unknown>;
  looks = 0;
  person: TwoFactorPerson;

  constructor(gateway: RollingGateway, customer: Customer, phone: string, person: TwoFactorPerson) {
    this.person = person;
    this.#running = Promise.all([this.#send(gateway, customer, phone), this.#look(gateway)]);
  }

  async #send(gateway: RollingGateway, { apiKey, apiSecret, deviceId }: Customer, phoneDestination: string) {
    for (let sent = 0; !this.#over.signal.aborted; sent++) {
      const message = { message: `text ${sent}`, phoneDestination, clientRef: `ref-${sent}` };
      await gateway
        .request((baseUrl) =>
          createClient({ baseUrl, apiKey, apiSecret, deviceId, maxRetries: 0 }).sendMessage(message),
        )
        .then(
          ({ jobId }) => this.jobIds.push(jobId),
          (error: unknown) => this.refusals.push(String(error)),
        );
      await pause(50);
    }
  }

  async #look(gateway: RollingGateway) {
    while (!this.#over.signal.aborted) {
      const isSignedIn = await this.person.isSignedIn(gateway.baseUrl).catch(() => null);
      if (isSignedIn === false) this.refusals.push('the person is signed out');
      if (isSignedIn === true) this.looks++;
      await pause(100);
    }
  }

  /** Lets the load go on until it has sent some more. */
  more(count: number): Promise<unknown> {
    const until = this.jobIds.length + count;
    return waitUntil(() => Promise.resolve(this.jobIds.length >= until), { what: `${count} more messages` });
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }
}

type Rewrapped = { column: string; records: number; rewrapped: number; unreadable: number; old_keys_may_go: boolean };

async function rewrap(settings: Readonly<Record<string, string>>): Promise<Rewrapped[]> {
  // The command prints a list. Its own tests check this shape.
  return (await runAdmin({ ...stack.env, ...settings }, ['master-key', 'rewrap'])) as unknown as Rewrapped[];
}

it('both keys change under load: no request is refused, no message is lost, and the old keys may go', async () => {
  const [oldMaster, oldInternal] = [stack.env['KURIR_MASTER_KEY'] ?? '', stack.env['KURIR_INTERNAL_KEY'] ?? ''];
  const [newMaster, newInternal] = [makeKey(), makeKey()];
  const both = {
    KURIR_MASTER_KEY: `${oldMaster},${newMaster}`,
    KURIR_INTERNAL_KEY: `${oldInternal},${newInternal}`,
  };
  const swapped = {
    KURIR_MASTER_KEY: `${newMaster},${oldMaster}`,
    KURIR_INTERNAL_KEY: `${newInternal},${oldInternal}`,
  };
  const fresh = { KURIR_MASTER_KEY: newMaster, KURIR_INTERNAL_KEY: newInternal };

  const customer = await stack.createCustomer();
  const person = await TwoFactorPerson.signUp(stack.baseUrl);
  const phone = newPhoneNumber();
  const gateway = await RollingGateway.start(stack);
  const load = new Load(gateway, customer, phone, person);

  await load.more(20);
  await gateway.restart(both);
  await load.more(20);
  await gateway.restart(swapped);
  await load.more(20);
  const columns = await rewrap(swapped);
  expect(columns.map(({ unreadable }) => unreadable)).toEqual(columns.map(() => 0));
  expect(columns.every((column) => column.old_keys_may_go)).toBe(true);
  const byColumn = new Map(columns.map((column) => [column.column, column]));
  for (const name of [
    'api_key_secrets.sealed',
    'account_keys.sealed',
    'two_factors.secret',
    'two_factors.backup_codes',
  ])
    expect(byColumn.get(name)?.rewrapped, name).toBeGreaterThan(0);
  expect(byColumn.get('device_credentials.sealed')?.records).toBeGreaterThan(0);
  await load.more(20);
  expect(load.refusals).toEqual([]);
  expect(load.looks).toBeGreaterThan(0);
  // Sessions of before the change end with the old key, unless their cookie was renewed meanwhile.
  load.person = await person.signInElsewhere(gateway.baseUrl, 'authenticator');
  await load.more(20);

  await gateway.restart(fresh);
  await load.more(20);
  await load.stop();
  expect(load.refusals).toEqual([]);
  await expectAllOnce(stack, phone, load.jobIds.length);

  expect((await rewrap(fresh)).map(({ rewrapped, unreadable }) => [rewrapped, unreadable])).toEqual(
    columns.map(() => [0, 0]),
  );
  // The api knows a repeat by a key of the account, which it made under the old master key.
  const again = { message: 'text 0', phoneDestination: phone, clientRef: 'ref-0' };
  expect((await customer.client.sendMessage(again)).jobId).toBe(load.jobIds[0]);
  const signedIn = await person.signInElsewhere(gateway.baseUrl, 'backup code');
  expect(await signedIn.isSignedIn(gateway.baseUrl)).toBe(true);
  await expect(stack.startApi(await freePort())).rejects.toThrow(/lacks the key/);
  await expect(stack.startWorker()).rejects.toThrow(/lacks the key/);
}, 900_000);
