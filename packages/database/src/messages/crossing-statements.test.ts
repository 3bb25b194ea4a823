/**
 * Every pair of statements that can meet on the same message or device, on two connections. The first holds its rows in
 * an open transaction while the second begins. In any case the promises hold, and the lane goes on in order. If the
 * second does not wait, they simply follow each other, as in `life-of-messages.test.ts`.
 */
import {
  type AccountId,
  type MessageId,
  type MessageStatus,
  messageMoves,
  networks,
  refundedStatuses,
} from '@kurir/contracts';
import { expect, test } from 'vitest';
import { useCrossing } from '../../test/crossing-fixture.js';
import { again, bulkOf, present, sealer, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { changeDevice } from '../devices/device-settings.js';
import type { Database } from '../postgres/connect.js';
import { writeAccountLimits } from '../sessions/device-session.js';
import { takeLeases } from '../sessions/leases.js';
import { acceptTogether } from './accept-messages.js';
import { cancelMessage } from './cancel-messages.js';
import { createClaimer, type StandingMessage } from './claim-message.js';
import { networkMessageIdOf } from './network-message-id.js';
import type { NewMessage } from './new-message.js';
import { createOutcomeWriter, giveUp } from './report-outcome.js';
import { expireMessages, failUnlinkedMessages, wakeMessages } from './sweep-messages.js';
import { moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();
const cross = useCrossing(fixture);
const [alice, bob] = ['6281200000001', '6281200000002'];

/** The tenant's lane: the message of all statements, a later one to the same recipient, and perhaps a code. */
type World = {
  readonly tenant: Tenant;
  readonly id: MessageId;
  readonly asRead: StandingMessage;
  readonly bulk: readonly NewMessage[];
};

const refused = { kind: 'not-sent', reason: 'rejected_by_network' } as const;
const allowed = { newContacts: 'allowed', newChatQuota: null } as const;
const answered =
  (outcome: Parameters<ReturnType<typeof createOutcomeWriter>['answered']>[2]) =>
  (database: Database, { asRead }: World) =>
    createOutcomeWriter(database).answered(asRead, asRead.epoch, outcome);
const claim = (lastTry: (world: World) => string) => (database: Database, world: World) =>
  createClaimer(database, fixture().accountKeys).submit({ ...world.tenant.holder, lastTry: lastTry(world) });

const statements: Record<string, (database: Database, world: World) => Promise<unknown>> = {
  claim: claim(({ asRead }) => `${asRead.id}#${asRead.attempts}`),
  'claim of what the driver never had': claim(() => ''),
  sent: answered({ kind: 'sent' }),
  'refused for good': answered({ ...refused, permanent: true }),
  'refused for now': answered({ ...refused, permanent: false, retryAfterMs: 0 }),
  report: (database, { tenant, asRead }) =>
    createOutcomeWriter(database).reported({ ...asRead, deviceId: tenant.deviceId, status: 'delivered' }),
  'give up': (database, { tenant, asRead }) => giveUp(database, tenant.holder, asRead),
  cancel: (database, { tenant, id }) => cancelMessage(database, tenant.accountId, id),
  expire: (database) => expireMessages(database),
  wake: (database) => wakeMessages(database),
  'fail unlinked': (database) => failUnlinkedMessages(database),
  accept: (database, { bulk }) =>
    acceptTogether(
      database,
      fixture().accountKeys,
      bulk.map((message) => again(message)),
    ),
  'lift limits': (database, { tenant }) => writeAccountLimits(database, tenant.holder, allowed),
  'change pace': (database, { tenant }) =>
    changeDevice(database, sealer, tenant.accountId, tenant.deviceId, { pacePerMinute: 600 }),
  'take leases': async (database, { tenant }) => {
    await endLease(tenant);
    return takeLeases(database, 'wrk_next', 0, 1_000, 1_000);
  },
};

const endLease = ({ deviceId }: Tenant) =>
  fixture().query(`UPDATE device_leases SET expires_at = now() - interval '1 s' WHERE device_id = $1`, [deviceId]);

const sending = `status = 'sending', attempts = 1, epoch = 1`;
const waitsFor = (interval: string) =>
  `held_until = now() + interval '${interval}', waits_until = now() + interval '${interval}'`;

type Stance = {
  /** The columns of the message and of the device. */
  readonly message?: string;
  readonly device?: string;
  readonly withCode?: true;
  /** Statements that can change something in this state. A claim, an acknowledgement and the next owner always can. */
  readonly others: readonly string[];
};

const answers = ['claim of what the driver never had', 'refused for good', 'refused for now', 'report'];
const worlds: Record<string, Stance> = {
  'due for the first time': { others: ['cancel', 'accept', 'change pace'] },
  'due again after a try without an answer': {
    message: 'attempts = 1, epoch = 1, unanswered = 1',
    others: ['cancel', 'report', 'refused for now'],
  },
  'being sent': { message: sending, others: [...answers, 'cancel', 'give up'] },
  'being sent while a code is due': { message: sending, withCode: true, others: [...answers, 'cancel', 'change pace'] },
  'being sent for the last time, and late': {
    message: `${sending}, unanswered = 2, expires_at = now() - interval '1 hour'`,
    others: [...answers, 'give up', 'expire'],
  },
  'too late': { message: `expires_at = now() - interval '1 s'`, others: ['expire', 'cancel', 'accept'] },
  'held for a block that ends': {
    message: `attempts = 1, epoch = 1, reason = 'new_contacts_restricted', ${waitsFor('-1 s')}`,
    device: `new_contacts_blocked_until = now() + interval '1 hour'`,
    others: ['wake', 'lift limits', 'cancel', 'report'],
  },
  'of an unlinked device': { device: 'linked = false', others: ['fail unlinked', 'cancel', 'accept'] },
  'being sent by an unlinked device': {
    message: sending,
    device: 'linked = false',
    others: [...answers, 'fail unlinked'],
  },
};

async function make({ message, device, withCode }: Stance): Promise<World> {
  const tenant = await fixture().tenant({ quota: 100 });
  const [first] = await fixture().accept(tenant, [{ recipient: alice }, { recipient: alice }]);
  if (withCode) await fixture().accept(tenant, [{ recipient: bob, priority: 'otp' }]);
  const { messageId: id } = present(first);
  if (message !== undefined) await fixture().change(id, message);
  await fixture().query(
    `UPDATE devices SET pace_per_minute = 60000, pace_jitter_ms = 1${device === undefined ? '' : `, ${device}`} WHERE id = $1`,
    [tenant.deviceId],
  );
  await fixture().query(`INSERT INTO device_pace VALUES ($1, now() - interval '1 s')`, [tenant.deviceId]);
  const { attempts } = await fixture().state(id);
  const asRead = { id, networkMessageId: networkMessageIdOf('simulator', id), attempts, epoch: 1n, untried: false };
  return { tenant, id, asRead, bulk: bulkOf(tenant, [{ recipient: bob, clientRef: 'once' }]) };
}

type Life = { readonly status: MessageStatus; readonly unanswered: number; readonly life: MessageStatus[] };

async function expectPromises({ tenant }: World, from: MessageStatus): Promise<Life[]> {
  const lives = await fixture().query<Life & { id: MessageId }>(
    `SELECT m.status, m.unanswered,
            ARRAY(SELECT e.status FROM message_events e WHERE e.message_id = m.id ORDER BY e.ordinal) AS life
     FROM messages m WHERE m.account_id = $1 ORDER BY m.seq`,
    [tenant.accountId],
  );
  for (const [i, { status, unanswered, life }] of lives.entries()) {
    const walked: MessageStatus[] = [i === 0 ? from : 'queued', ...life];
    walked.reduce((before, to) => {
      expect(messageMoves[before], walked.join()).toContain(to);
      return to;
    });
    expect(walked.at(-1)).toBe(status);
    if (refundedStatuses.some((refunded) => refunded === status)) expect(unanswered).toBe(0);
    expect(unanswered).toBeLessThanOrEqual(networks.simulator.triesWithoutAnswer);
  }
  expect(lives.filter(({ status }) => status === 'sending').length).toBeLessThanOrEqual(1);
  const kept = lives.filter(({ status }) => !refundedStatuses.some((refunded) => refunded === status));
  expect(await fixture().taken(tenant.accountId)).toEqual([kept.length]);
  return lives;
}

/** The next owner sends all that is left. */
async function drain({ accountId, deviceId }: Tenant): Promise<void> {
  const holder = { deviceId, owner: 'wrk_last', epoch: 9n };
  await fixture().query(
    `UPDATE devices SET linked = true, pace_per_minute = NULL, pace_jitter_ms = 0, new_contacts_blocked_until = NULL WHERE id = $1`,
    [deviceId],
  );
  await fixture().query('DELETE FROM device_pace WHERE device_id = $1', [deviceId]);
  await fixture().query(
    `UPDATE device_leases SET owner = $2, epoch = $3, expires_at = now() + interval '1 hour' WHERE device_id = $1`,
    [deviceId, holder.owner, holder.epoch],
  );
  await fixture().query(
    `UPDATE messages SET waits_until = now() - interval '2 ms' WHERE account_id = $1 AND waits_until > now()`,
    [accountId],
  );
  await wakeMessages(fixture().database);
  await expireMessages(fixture().database);
  for (;;) {
    const outcome = await fixture().claim(holder);
    if (outcome.kind === 'nothing') return;
    if (outcome.kind === 'exhausted') await giveUp(fixture().database, holder, outcome.message);
    else if (outcome.kind === 'claimed')
      await moveMessages(fixture().database.pool, [{ id: outcome.message.id, to: 'sent' }]);
    else throw new Error(`a claim ended as ${outcome.kind}`);
  }
}

/** Messages of one priority to one recipient began in the order of acceptance, and all have ended. */
async function expectOrder(accountId: AccountId): Promise<void> {
  expect(await fixture().query('SELECT 1 FROM messages WHERE account_id = $1 AND stage < 2', [accountId])).toEqual([]);
  const begun = await fixture().query<{ to: string; seq: bigint }>(
    `SELECT m.recipient || ' ' || m.priority AS to, m.seq FROM messages m
     JOIN message_events e ON e.message_id = m.id AND e.status = 'sending' WHERE m.account_id = $1
     GROUP BY m.id ORDER BY min(e.ordinal)`,
    [accountId],
  );
  for (const to of new Set(begun.map((row) => row.to))) {
    const order = begun.filter((row) => row.to === to).map(({ seq }) => seq);
    expect(order).toEqual(order.toSorted((a, b) => (a < b ? -1 : 1)));
  }
}

/** An acknowledgement always counts, unless the message has ended and its quota was refunded. */
function expectCounted({ asRead }: World, names: readonly string[], { status }: Life): void {
  if (asRead.attempts === 0 || !names.some((name) => name === 'sent' || name === 'report')) return;
  expect(['sent', 'delivered', ...refundedStatuses]).toContain(status);
}

test.each(Object.keys(worlds))(
  'a message that is %s: no pair of statements breaks a promise',
  async (world) => {
    const stance = present(worlds[world]);
    const names = ['claim', 'sent', 'take leases', ...stance.others];
    let waited = 0;
    for (const first of names) {
      for (const second of names) {
        const made = await make(stance);
        const { status: from } = await fixture().state(made.id);
        try {
          const crossed = await cross(
            (database) => present(statements[first])(database, made),
            (database) => present(statements[second])(database, made),
          );
          const [life] = await expectPromises(made, from as MessageStatus);
          expectCounted(made, [first, second], present(life));
          if (crossed.waited) {
            waited++;
            await drain(made.tenant);
            await expectPromises(made, from as MessageStatus);
            await expectOrder(made.tenant.accountId);
          }
        } catch (cause) {
          throw new Error(`${first}, then ${second}`, { cause });
        }
        await fixture().query(`UPDATE devices SET linked = false, desired_state = 'unlinked' WHERE id = $1`, [
          made.tenant.deviceId,
        ]);
      }
    }
    // Otherwise no statements crossed.
    expect(waited).toBeGreaterThanOrEqual(names.length);
  },
  120_000,
);
