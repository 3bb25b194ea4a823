/** Runs the erase commands on a real database. */
import { acceptTogether, addMember, createAccount, createDevice, ensurePerson } from '@kurir/database';
import { newId, textContent } from '@kurir/contracts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../test/customer-fixture.js';
import { startTestApi, type TestApi } from '../test/test-api.js';
import { runAdmin } from './admin/run-admin.js';

let t: TestApi;
let customer: Customer;
let number: string;
let count = 0;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());
beforeEach(async () => {
  customer = await createCustomer(t.database);
  number = `62866${String(7_000_000 + ++count)}`;
});

const query = async (text: string, values: readonly unknown[] = []) =>
  (await t.database.pool.query<Record<string, unknown>>(text, [...values])).rows;

/** `answer` is what the person types; null means that nobody is there. */
async function erase(
  args: readonly string[],
  answer: string | null = null,
  onSay: (text: string) => unknown = () => 0,
) {
  const [printed, said]: [string[], string[]] = [[], []];
  const code = await runAdmin(['erase', ...args], {
    environment: {
      DATABASE_URL: t.settings.DATABASE_URL,
      KURIR_MASTER_KEY: Buffer.alloc(32, 'm').toString('base64'),
    },
    print: (text) => void printed.push(text),
    say: (text) => {
      said.push(text);
      onSay(text);
    },
    ask: async () => answer,
  });
  return { code, printed: printed.join('\n'), said: said.join('\n') };
}

const send = () =>
  acceptTogether(t.database, t.api.accountKeys, [
    {
      id: newId('msg'),
      accountId: customer.accountId,
      deviceId: customer.deviceId,
      keyId: customer.key.id,
      requestId: 'req',
      repeatKey: randomBytes(32),
      position: 0,
      input: {
        content: textContent('Hi'),
        recipient: number,
        clientRef: null,
        priority: 'normal',
        category: 'transactional',
        ttlSeconds: null,
        sendAt: null,
      },
    },
  ]);
const messagesTo = () => query('SELECT status FROM messages WHERE recipient = $1', [number]);

describe('erase number', () => {
  test('counts first, asks, and erases nothing without a yes', async () => {
    await send();
    for (const [answer, sentence] of [
      [null, 'Confirm this in a terminal, or add --yes.'],
      ['no', 'Nothing was erased.'],
    ] as const) {
      const { code, said } = await erase(['number', number], answer);
      expect([code, said]).toEqual([1, `This erases: 1 messages.\n${sentence}`]);
    }
    expect(await messagesTo()).toHaveLength(1);
    expect((await erase(['number', number], 'yes')).code).toBe(0);
    expect(await messagesTo()).toEqual([]);
  });

  test('prints counts as JSON, and a second run erases nothing and leaves no row in the audit log', async () => {
    await send();
    const [rows] = [() => query(`SELECT 1 FROM audit_log WHERE action = 'number.erased'`)];
    const before = (await rows()).length;
    const first = await erase(['number', number, '--yes', '--json']);
    const nothing = {
      messages: 0,
      inbound_messages: 0,
      saved_contacts: 0,
      contacts: 0,
      device_numbers: 0,
      device_rows: 0,
      kept_mails: 0,
    };
    expect(JSON.parse(first.printed)).toEqual({ ...nothing, messages: 1 });
    expect(JSON.parse((await erase(['number', number, '--yes', '--json'])).printed)).toEqual(nothing);
    expect(await rows()).toHaveLength(before + 1);
  });

  test('waits for a message that is being sent, and erases it when it has ended', async () => {
    await send();
    await query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE recipient = $1`, [number]);
    const ended = await erase(['number', number, '--yes'], null, (text) => {
      if (text.startsWith('Waiting for 1 messages'))
        void query(`UPDATE messages SET status = 'sent' WHERE recipient = $1`, [number]);
    });
    expect([ended.code, ended.said]).toEqual([0, expect.stringContaining('Waiting for 1 messages')]);
    expect(await messagesTo()).toEqual([]);
  });

  test('after its deadline, says that messages are still being sent and that one runs it again', async () => {
    await send();
    await query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE recipient = $1`, [number]);
    const ended = await erase(['number', number, '--yes', '--wait-seconds', '1']);
    expect([ended.code, ended.said]).toEqual([1, expect.stringMatching(/1 messages .* still being sent.*again/)]);
    expect(await messagesTo()).toEqual([{ status: 'sending' }]);
  });

  test('refuses the number of a linked device, and names it', async () => {
    await query('UPDATE devices SET phone_number = $2 WHERE id = $1', [customer.deviceId, number]);
    const { code, said } = await erase(['number', number, '--yes']);
    expect([code, said]).toEqual([1, expect.stringContaining(`device unlink ${customer.deviceId}`)]);
  });
});

describe('erase person', () => {
  test('erases a person, says what went, and does nothing the second time', async () => {
    const email = `${number}@example.com`;
    await ensurePerson(t.database, { email, name: 'Sri', passwordHash: 'x', isAdmin: false });
    const first = JSON.parse((await erase(['person', email, '--yes', '--json'])).printed);
    expect(first).toMatchObject({ people: 1, accounts: [] });
    expect(JSON.parse((await erase(['person', email, '--yes', '--json'])).printed)).toMatchObject({ people: 0 });
  });

  test('refuses the last owner of an account with a device, and says what to do', async () => {
    const email = `${number}@example.com`;
    const userId = await ensurePerson(t.database, { email, name: 'Sri', passwordHash: 'x', isAdmin: false });
    await addMember(t.database, customer.accountId, userId, 'owner');
    const { code, said } = await erase(['person', email, '--yes']);
    expect([code, said]).toEqual([1, expect.stringContaining(`erase account ${customer.accountId}`)]);
    expect(await query('SELECT 1 FROM users WHERE email = $1', [email])).toHaveLength(1);
  });
});

describe('erase account', () => {
  /** Ends the time in which an api may still know the keys. */
  const settle = () =>
    query(`UPDATE accounts SET erasure_begun_at = now() - interval '1 minute' WHERE erasure_begun_at IS NOT NULL`);

  test('without a worker, it shuts everybody out, says so after its deadline, and --force ends it', async () => {
    const { accountId } = customer;
    await send();
    const waiting = await erase(['account', accountId, '--yes', '--wait-seconds', '1']);
    expect([waiting.code, waiting.said]).toEqual([1, expect.stringMatching(/1 devices are still linked.*--force/s)]);
    await settle();
    const forced = await erase(['account', accountId, '--yes', '--force', '--json']);
    expect(JSON.parse(forced.printed)).toEqual({ account_id: accountId, state: 'erased' });
    expect(await messagesTo()).toEqual([]);
    expect((await erase(['account', accountId, '--yes', '--json'])).printed).toBe(forced.printed);
  });

  test('waits with progress until a worker has logged its device out', async () => {
    const { accountId, deviceId } = customer;
    const ended = await erase(['account', accountId, '--yes'], null, (text) => {
      if (text !== 'Waiting for a worker to log out 1 devices.') return;
      void settle();
      void query(
        `WITH freed AS (UPDATE device_leases SET owner = NULL WHERE device_id = $1)
         UPDATE devices SET linked = false, state = 'disconnected' WHERE id = $1`,
        [deviceId],
      );
    });
    expect([ended.code, ended.said]).toEqual([0, expect.stringContaining('Waiting for a worker')]);
  });

  test('takes only the id of an account that exists', async () => {
    await createAccount(t.database, `Toko ${number}`);
    expect(await erase(['account', `Toko ${number}`, '--yes'])).toMatchObject({
      code: 1,
      said: expect.stringContaining('Give its id'),
    });
  });
});

test('misuse ends with 2, and help with 0', async () => {
  for (const [args, code] of [
    [['number', '0812'], 2],
    [['number'], 2],
    [['account', 'x', '--wait-seconds', 'long'], 2],
    [['--help'], 0],
    [['number', '--help'], 0],
  ] as const)
    expect((await erase(args)).code).toBe(code);
});

test('device delete deletes a device that is not linked, and says what to do with another one', async () => {
  const { accountId, deviceId } = customer;
  const unlinked = await createDevice(t.database, { accountId, name: 'Kasir', network: 'simulator' });
  const device = async (id: string) => {
    const lines: string[] = [];
    const say = (text: string) => void lines.push(text);
    const environment = {
      DATABASE_URL: t.settings.DATABASE_URL,
      KURIR_MASTER_KEY: Buffer.alloc(32, 'm').toString('base64'),
    };
    return [await runAdmin(['device', 'delete', id], { environment, print: say, say }), lines.join('\n')];
  };
  expect(await device(deviceId)).toEqual([1, expect.stringContaining(`device unlink ${deviceId}`)]);
  expect((await device(unlinked))[0]).toBe(0);
  expect(await device(unlinked)).toEqual([1, expect.stringContaining('There is no device')]);
});
