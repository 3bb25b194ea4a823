/** Accounts and their devices, which send messages, and the state of these messages. */
import { randomBytes } from 'node:crypto';
import {
  type AccountId,
  type ApiKeyId,
  type DeviceId,
  type DeviceState,
  type MessageId,
  type Network,
  newId,
  priorityRanks,
  type SendInput,
  textContent,
} from '@kurir/contracts';
import {
  type AcceptedMessage,
  acceptTogether,
  createAccount,
  createDevice,
  grantPeriod,
  type NewMessage,
  readAccountInfo,
  readDevice,
  readLeaseOwner,
  readMessage,
  requestLink,
} from '@kurir/database';
import { createEnqueuer, type Ticket, wakeOwner } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { newPhoneNumber } from './network.js';
import { patienceMs, Surroundings } from './surroundings.js';

export type Customer = {
  readonly accountId: AccountId;
  readonly deviceId: DeviceId;
  readonly keyId: ApiKeyId;
  /** The device's own number. */
  readonly number: string;
};

export type DeviceOptions = { readonly pacePerMinute?: number | null; readonly network?: Network };
export type CustomerOptions = DeviceOptions & {
  /** The quota of its one period. Default: unlimited. */
  readonly quota?: number;
};

export type MessageState = {
  readonly status: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly unanswered: number;
  readonly deferred: boolean;
  readonly epoch: bigint | null;
};

/** The fields of a message that a test sets. `text` becomes its content. */
export type TestInput = Partial<Omit<SendInput, 'content'>> & { readonly text?: string };

const plain: Omit<SendInput, 'content'> = {
  recipient: '',
  clientRef: null,
  priority: 'normal',
  category: 'transactional',
  ttlSeconds: null,
  sendAt: null,
};

/** The statuses that receipts give to a message after each status. */
const laterByReceipts: Readonly<Record<string, readonly string[]>> = {
  sent: ['delivered', 'read'],
  delivered: ['read'],
};

export class AccountFixture extends Surroundings {
  /** Creates an account with a linked and connected device. Needs a running worker. */
  async customer(options: CustomerOptions = {}): Promise<Customer> {
    const accountId = await createAccount(this.database, 'test');
    const plan = { planId: newId('pln'), name: 'Test', type: 'TIME_BASED', durationDays: 30, priceRupiah: 1 };
    await grantPeriod(this.database, accountId, { ...plan, quota: options.quota ?? null, maxDevices: 100 });
    return this.anotherDevice(accountId, options);
  }

  async anotherDevice(accountId: AccountId, options: DeviceOptions = {}): Promise<Customer> {
    const customer = await this.unlinkedDevice(accountId, options);
    await this.askForQr(customer);
    await this.network.ask(`/phones/${customer.number}/scan`, { code: await this.shownCode(customer) });
    await this.untilState(customer, 'connected');
    return customer;
  }

  async unlinkedDevice(accountId: AccountId, options: DeviceOptions = {}): Promise<Customer> {
    const { pacePerMinute = null, network = 'simulator' } = options;
    const device = { accountId, name: 'd', network, pacePerMinute, newContactsPerDay: null } as const;
    const deviceId = await createDevice(this.database, device);
    return { accountId, deviceId, keyId: `kk_live_${randomBytes(8).toString('hex')}`, number: newPhoneNumber() };
  }

  askForQr(customer: Customer): Promise<void> {
    return this.askForLink(customer, { method: 'qr', phoneNumber: null });
  }

  async askForLink(
    { accountId, deviceId }: Customer,
    pairing: { method: 'qr' | 'pairing_code'; phoneNumber: string | null },
  ): Promise<void> {
    await requestLink(this.database, accountId, deviceId, pairing);
    await wakeOwner(this.queue, deviceId);
  }

  shownCode(customer: Customer): Promise<string> {
    return waitUntil(async () => (await this.device(customer)).pairingCode, {
      what: 'a code is shown',
      timeoutMs: patienceMs,
    });
  }

  async device({ accountId, deviceId }: Customer) {
    const device = await readDevice(this.database, accountId, deviceId);
    if (device === null) throw new Error(`there is no device ${deviceId}`);
    return device;
  }

  async untilState(customer: Customer, state: DeviceState, timeoutMs = patienceMs): Promise<void> {
    await waitUntil(async () => (await this.device(customer)).state === state, {
      what: `the device is ${state}`,
      timeoutMs,
    });
  }

  /** Returns the worker that holds the device. */
  owner(deviceId: DeviceId): Promise<string | null> {
    return readLeaseOwner(this.database, deviceId);
  }

  /** Counts the rows of credentials that a driver keeps for the device. */
  async credentials({ deviceId }: Customer): Promise<number> {
    const rows = await this.query('SELECT 1 FROM device_credentials WHERE device_id = $1', [deviceId]);
    return rows.length;
  }

  /** Stores messages in one transaction, as a bulk request does. Makes no tickets for the lane. */
  async accept(customer: Customer, inputs: readonly TestInput[]): Promise<Ticket[]> {
    const repeatKey = randomBytes(32);
    const messages = inputs.map((input, position) => messageOf(customer, input, repeatKey, position));
    const outcomes = await acceptTogether(this.database, this.accountKeys, messages);
    return outcomes.map((outcome, i) => {
      const message = messages[i];
      if (outcome.kind !== 'accepted' || message === undefined) throw new Error(`refused: ${JSON.stringify(outcome)}`);
      return ticketOf(message, outcome);
    });
  }

  /** Puts tickets on their lanes, as the api does after its response. */
  async enqueue(tickets: readonly Ticket[]): Promise<void> {
    const dropped: unknown[] = [];
    const enqueuer = createEnqueuer(this.queue, { onDropped: (_count, error) => dropped.push(error) });
    enqueuer.offer(tickets);
    await enqueuer.close();
    if (dropped.length > 0) throw new Error('tickets were dropped', { cause: dropped[0] });
  }

  async send(customer: Customer, inputs: readonly TestInput[]): Promise<MessageId[]> {
    const tickets = await this.accept(customer, inputs);
    await this.enqueue(tickets);
    return tickets.map((ticket) => ticket.messageId);
  }

  async sendOne(customer: Customer, input: TestInput): Promise<MessageId> {
    const [id] = await this.send(customer, [input]);
    if (id === undefined) throw new Error('nothing was sent');
    return id;
  }

  async sendTexts(
    customer: Customer,
    recipient: string,
    texts: readonly string[],
    rest: TestInput = {},
  ): Promise<MessageId[]> {
    return this.send(
      customer,
      texts.map((text) => ({ ...rest, recipient, text })),
    );
  }

  async message(id: MessageId): Promise<MessageState> {
    const rows = await this.query<MessageState>(
      `SELECT status, reason, attempts, unanswered, epoch, coalesce(held_until > now(), false) AS deferred
       FROM messages WHERE id = $1`,
      [id],
    );
    if (rows[0] === undefined) throw new Error(`there is no message ${id}`);
    return rows[0];
  }

  /** Waits for the status, or for one that a receipt gives after it: the message may move between two looks. */
  async untilStatus(id: MessageId, status: string, timeoutMs = patienceMs): Promise<void> {
    const reached = [status, ...(laterByReceipts[status] ?? [])];
    await waitUntil(
      async () => {
        const now = await this.message(id);
        if (!reached.includes(now.status)) throw new Error(`it is ${now.status}`);
        return true;
      },
      { what: `the message is ${status}`, timeoutMs },
    );
  }

  async timeline({ accountId }: Customer, id: MessageId): Promise<string[]> {
    return (await readMessage(this.database, accountId, id))?.timeline.map((entry) => entry.status) ?? [];
  }

  async remainingQuota({ accountId }: Customer): Promise<number | null> {
    return (await readAccountInfo(this.database, accountId))?.remainingQuota ?? null;
  }

  /** Unlinks all devices, so that the workers of the next test do not take them. */
  async forgetDevices(): Promise<void> {
    await this.query(`UPDATE devices SET linked = false, desired_state = 'unlinked', state = 'disconnected'`);
  }
}

function messageOf(customer: Customer, input: TestInput, repeatKey: Buffer, position: number): NewMessage {
  const { accountId, deviceId, keyId } = customer;
  const ids = { id: newId('msg'), requestId: newId('req'), accountId, deviceId, keyId };
  const { text = 'Halo', ...fields } = input;
  return { ...ids, repeatKey, position, input: { ...plain, ...fields, content: textContent(text) } };
}

function ticketOf({ deviceId, requestId, input }: NewMessage, { messageId }: AcceptedMessage): Ticket {
  return { messageId, deviceId, priority: priorityRanks[input.priority], requestId };
}
