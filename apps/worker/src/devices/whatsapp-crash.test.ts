/** The worker's program is killed or paused at the worst moments. WhatsApp's keys and the texts survive. */
import type { MessageId } from '@kurir/contracts';
import { freePort, type RunningProgram, startProgram, stopAllPrograms, waitUntil } from '@kurir/testing';
import { createRecipient, type MessageFault, type Recipient } from '@kurir/whatsapp-relay';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { lockRows, type RowLock } from '../../test/row-lock.js';
import { useWhatsappFixture } from '../../test/whatsapp-fixture.js';

const fixture = useWhatsappFixture({ worker: false });

const longMs = 90_000;

/** A device that has written to somebody, so that the two have a session. No test may damage it. */
let customer: Customer;
let recipient: Recipient;
let worker: RunningProgram;
beforeAll(async () => {
  worker = await startWorkerProgram();
  [customer, recipient] = await Promise.all([fixture().customer(), createRecipient(fixture().relay, newPhoneNumber())]);
  await fixture().untilStatus(await send('first'), 'delivered', longMs);
});
afterEach(() => fixture().relay.faults.clear());
afterAll(async () => {
  await stopAllPrograms();
  await recipient?.close();
});

async function startWorkerProgram(env: Record<string, string> = {}): Promise<RunningProgram> {
  const port = String(await freePort());
  return startProgram({
    path: 'apps/worker/dist/main.js',
    env: {
      ...fixture().settings,
      ...fixture().whatsappSettings,
      DATABASE_URL: fixture().databaseUrl,
      KURIR_HEALTH_PORT: port,
      ...env,
    },
    ready: `http://127.0.0.1:${port}/health/ready`,
    readyTimeoutMs: longMs,
  });
}

const send = (text: string): Promise<MessageId> => fixture().sendOne(customer, { recipient: recipient.number, text });

/** Returns how often the relay received a message. */
async function timesWritten(id: MessageId): Promise<number> {
  const [row] = await fixture().query<{ network_message_id: string }>(
    'SELECT network_message_id FROM messages WHERE id = $1',
    [id],
  );
  return fixture()
    .relay.journal.of('message', { from: customer.number })
    .filter((entry) => entry.id === row?.network_message_id).length;
}

const untilWritten = (id: MessageId, times = 1) =>
  waitUntil(async () => (await timesWritten(id)) >= times, {
    what: `it was written ${times} times`,
    timeoutMs: longMs,
  });

/** Lets the lease expire now, as it would some seconds after its owner died or stood still. */
async function expireLease(): Promise<void> {
  const ago = `now() - interval '4 seconds'`;
  await fixture().query(`UPDATE device_leases SET expires_at = ${ago} WHERE device_id = $1`, [customer.deviceId]);
}

const texts = () => recipient.inbox.flatMap(({ from, text }) => (from === customer.number ? [text] : []));

/** Expects that each text was shown once, and that new texts can be decrypted in both directions. */
async function expectIntact(before: readonly string[]): Promise<void> {
  for (const text of ['afterwards', 'and again']) await fixture().untilStatus(await send(text), 'delivered', longMs);
  expect(texts()).toEqual([...before, 'afterwards', 'and again']);
  const { deviceId } = customer;
  await fixture().query('DELETE FROM device_contacts WHERE device_id = $1', [deviceId]);
  await recipient.send(customer.number, 'an answer');
  const heard = 'SELECT 1 FROM device_contacts WHERE device_id = $1 AND heard_at IS NOT NULL';
  await waitUntil(async () => (await fixture().query(heard, [deviceId])).length === 1, {
    what: 'the answer is decrypted',
    timeoutMs: longMs,
  });
}

const lockKeys = (): Promise<RowLock> =>
  lockRows(fixture().database, `SELECT 1 FROM device_credentials WHERE device_id = $1 AND kind = 'session'`, [
    customer.deviceId,
  ]);
const lockMessage = (id: MessageId): Promise<RowLock> =>
  lockRows(fixture().database, 'SELECT 1 FROM messages WHERE id = $1', [id]);

test('killed while its keys are being committed: nothing was written before, and the message goes out once', async () => {
  const before = texts();
  const keys = await lockKeys();
  await recipient.disconnect();
  const id = await send('the keys first');
  await keys.untilWaitedFor();
  expect(await timesWritten(id)).toBe(0);
  await worker.kill();
  await keys.abandon();
  await expireLease();
  worker = await startWorkerProgram();
  await fixture().untilStatus(id, 'sent', longMs);
  expect(await timesWritten(id)).toBe(1);
  await recipient.connect();
  await fixture().untilStatus(id, 'delivered', longMs);
  await expectIntact([...before, 'the keys first']);
});

describe('killed between the write to the socket and the answer of the network', () => {
  const rows: readonly (readonly [name: string, fault: MessageFault])[] = [
    ['the network never took it', { kind: 'swallow-before-acknowledgement' }],
    ['the network took it, its acknowledgement was lost', { kind: 'lose-acknowledgement' }],
  ];
  test.for(rows)('%s: the message is shown once, and later messages can be decrypted', async ([name, fault]) => {
    const before = texts();
    fixture().relay.faults.messages(fault, { from: customer.number });
    // Without a receipt the next worker cannot learn what the first one missed.
    await recipient.disconnect();
    const id = await send(name);
    await untilWritten(id);
    await worker.kill();
    await expireLease();
    worker = await startWorkerProgram();
    await fixture().untilStatus(id, 'sent', longMs);
    expect(await timesWritten(id)).toBe(2);
    await recipient.connect();
    await fixture().untilStatus(id, 'delivered', longMs);
    await expectIntact([...before, name]);
  });
});

test('killed between the acknowledgement and its commit: the message goes out again under its id, and is shown once', async () => {
  const before = texts();
  await recipient.disconnect();
  fixture().relay.faults.messages({ kind: 'delay-acknowledgement', delayMs: 1_000 }, { from: customer.number });
  const id = await send('taken');
  await untilWritten(id);
  const row = await lockMessage(id);
  await row.untilWaitedFor();
  await worker.kill();
  await row.abandon();
  expect(await fixture().message(id)).toMatchObject({ status: 'sending', attempts: 1 });
  await expireLease();
  worker = await startWorkerProgram();
  await fixture().untilStatus(id, 'sent', longMs);
  expect(await fixture().message(id)).toMatchObject({ attempts: 2 });
  await recipient.connect();
  await fixture().untilStatus(id, 'delivered', longMs);
  await expectIntact([...before, 'taken']);
});

describe('two workers that both believe that they hold the device', () => {
  const typingMs = 5_000;

  /** Stops the old owner between its claim and its write to the socket, because it shows typing there. */
  async function startTyping(text: string): Promise<MessageId> {
    await fixture().query('UPDATE devices SET typing_ms = $2 WHERE id = $1', [customer.deviceId, typingMs]);
    const seen = recipient.chatStates.length;
    // The old owner reads the change within a second, and shows no typing for its messages until then.
    for (let i = 0; ; i++) {
      const id = await send(`${text} ${i}`);
      await waitUntil(async () => recipient.chatStates.length > seen || (await timesWritten(id)) > 0, {
        what: 'it is typed for or written',
        timeoutMs: longMs,
      });
      if ((await timesWritten(id)) > 0) continue;
      await fixture().query('UPDATE devices SET typing_ms = 0 WHERE id = $1', [customer.deviceId]);
      return id;
    }
  }

  /** Returns the epochs that wrote the stored sessions. */
  const epochs = async () =>
    (
      await fixture().query<{ epoch: bigint }>(
        `SELECT DISTINCT epoch FROM device_credentials WHERE device_id = $1 AND kind = 'session'`,
        [customer.deviceId],
      )
    ).map(({ epoch }) => epoch);

  const leaseEpoch = async () =>
    (
      await fixture().query<{ epoch: bigint }>('SELECT epoch FROM device_leases WHERE device_id = $1', [
        customer.deviceId,
      ])
    )[0]?.epoch;

  const untilOwnedAnew = (epoch: bigint | undefined) =>
    waitUntil(async () => (await leaseEpoch()) !== epoch, { what: 'the other worker has it', timeoutMs: longMs });

  test('one goes on in mid-send after a pause that outlasted its lease: only the other one sends', async () => {
    const other = await startWorkerProgram();
    const epoch = await leaseEpoch();
    const id = await startTyping('paused');
    worker.signal('SIGSTOP');
    await expireLease();
    await untilOwnedAnew(epoch);
    await fixture().untilStatus(id, 'delivered', longMs);
    const shown = texts();
    worker.signal('SIGCONT');
    await worker.waitForLine(/lease lost, closing/, longMs);
    await expectIntact(shown);
    expect(await timesWritten(id)).toBe(1);
    expect(await epochs()).toEqual([await leaseEpoch()]);
    await worker.kill();
    worker = other;
  });

  test('both have an open socket: Postgres refuses the keys of the old one, which writes nothing', async () => {
    // Only the old owner connects through the proxy.
    await worker.stop();
    worker = await startWorkerProgram({ DATABASE_URL: fixture().postgres.url });
    await fixture().untilStatus(await send('through the proxy'), 'delivered', longMs);
    const other = await startWorkerProgram();
    const epoch = await leaseEpoch();
    const id = await startTyping('both');
    // While its Postgres is frozen, nothing shows that the old owner wants to commit its keys. So the test waits for a time.
    const wantsToCommitAt = Date.now() + typingMs + 1_000;
    // The old owner learns nothing about its lease, and relies on it until it fences itself.
    fixture().postgres.freeze();
    fixture().relay.faults.takeovers({ kind: 'keep-older' }, { from: customer.number });
    await expireLease();
    await untilOwnedAnew(epoch);
    await fixture().untilStatus(id, 'delivered', longMs);
    const shown = texts();
    await waitUntil(() => Date.now() > wantsToCommitAt, { what: 'the old one wants to commit', timeoutMs: longMs });
    fixture().postgres.thaw();
    await worker.waitForLine(/credentials could not be read or written/, longMs);
    await worker.waitForLine(/lease lost, closing/, longMs);
    await expectIntact(shown);
    expect(await timesWritten(id)).toBe(1);
    expect(await epochs()).toEqual([await leaseEpoch()]);
    await worker.kill();
    worker = other;
  });
});
