/** Random lives of messages, which several owners, customers and sweeps move at once. */
import { type MessageId, type MessageStatus, messageMoves, refundedStatuses } from '@kurir/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import type { LeaseToken } from '../sessions/lease-token.js';
import { cancelMessage } from './cancel-messages.js';
import { tryName } from './claim-message.js';
import { networkMessageIdOf } from './network-message-id.js';
import { createOutcomeWriter, giveUp, type TryOutcome } from './report-outcome.js';
import { expireMessages, failUnlinkedMessages } from './sweep-messages.js';

const fixture = useDatabaseFixture();

const message = fc.nat(2);
/** 0 is the present owner, higher numbers are earlier ones. */
const owner = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) });
const outcome = fc.constantFrom<TryOutcome>(
  { kind: 'sent' },
  { kind: 'not-sent', permanent: true, reason: 'rejected_by_network' },
  { kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable', retryAfterMs: 0 },
);

const priority = fc.constantFrom('otp' as const, 'normal' as const);
const someone = fc.constantFrom('6281234567890', '6281234567891');
const input = fc.record({ priority, recipient: someone });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      owner,
      // The last try that the lane gave to the driver: the present try of this message, or none of these.
      lastTry: fc.option(message, { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      owner,
      message,
      outcome,
      /** 0 is the last try, higher numbers are earlier ones. */
      triesAgo: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      message,
      status: fc.constantFrom('sent' as const, 'delivered' as const, 'read' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), message }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), message }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hand over' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unlink' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Claims like a lane: gives up a message that had all its tries. */
async function claim(holder: LeaseToken, given: MessageId | undefined): Promise<void> {
  const lastTry = given === undefined ? '' : tryName({ id: given, attempts: (await fixture().state(given)).attempts });
  const claimed = await fixture().claim(holder, { lastTry });
  if (claimed.kind === 'exhausted') await giveUp(fixture().database, holder, claimed.message);
}

async function take(taken: Step, tenant: Tenant, ids: readonly MessageId[], holders: LeaseToken[]): Promise<unknown> {
  const { database } = fixture();
  const holder = 'owner' in taken ? (holders.at(-1 - taken.owner) ?? holders[0]) : holders.at(-1);
  const id = 'message' in taken ? ids[taken.message] : ids[0];
  if (holder === undefined || id === undefined) throw new Error('there is always a holder and a message');
  switch (taken.do) {
    case 'claim':
      return claim(holder, taken.lastTry === undefined ? undefined : ids[taken.lastTry]);
    case 'answer': {
      const attempts = (await fixture().state(id)).attempts - taken.triesAgo;
      return createOutcomeWriter(database).answered({ id, attempts }, holder.epoch, taken.outcome);
    }
    case 'report':
      return createOutcomeWriter(database).reported({
        deviceId: tenant.deviceId,
        networkMessageId: networkMessageIdOf('simulator', id),
        status: taken.status,
      });
    case 'cancel':
      return cancelMessage(database, tenant.accountId, id);
    case 'expire':
      await fixture().query('UPDATE messages SET expires_at = now() - make_interval(secs => 1) WHERE id = $1', [id]);
      return expireMessages(database);
    case 'hand over':
      holders.push(await fixture().handOver(holder));
      return;
    case 'unlink':
      await fixture().query('UPDATE devices SET linked = false WHERE id = $1', [tenant.deviceId]);
      await failUnlinkedMessages(database);
      return fixture().query('UPDATE devices SET linked = true WHERE id = $1', [tenant.deviceId]);
  }
}

type Row = { status: MessageStatus; unanswered: number; life: MessageStatus[] };

async function livesOf(ids: readonly MessageId[]): Promise<Row[]> {
  return fixture().query<Row>(
    `SELECT m.status, m.unanswered,
            ARRAY(SELECT e.status FROM message_events e WHERE e.message_id = m.id ORDER BY e.ordinal) AS life
     FROM messages m WHERE m.id = ANY ($1)`,
    [ids],
  );
}

/** The number of the tenant's messages that were not refunded. */
async function countKept({ accountId }: Tenant): Promise<number | undefined> {
  const [row] = await fixture().query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE account_id = $1 AND status <> ALL ($2)',
    [accountId, refundedStatuses],
  );
  return row?.n;
}

const inputs = fc.array(input, { minLength: 3, maxLength: 3 });
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 7 });

test('in any order of moves, a status never goes back, and the quota is the sum of the states', async () => {
  const tenant = await fixture().tenant({ quota: 100_000 });
  const holders = [tenant.holder];
  await fc.assert(
    fc.asyncProperty(inputs, rounds, async (accepted, steps) => {
      const ids = (await fixture().accept(tenant, accepted)).map(({ messageId }) => messageId);
      for (const round of steps) await Promise.all(round.map((taken) => take(taken, tenant, ids, holders)));

      for (const { life, status, unanswered } of await livesOf(ids)) {
        const walked: MessageStatus[] = ['queued', ...life];
        walked.reduce((from, to) => {
          expect(messageMoves[from], walked.join()).toContain(to);
          return to;
        });
        expect(status).toBe(walked.at(-1));
        if (status === 'failed' || status === 'cancelled' || status === 'expired') expect(unanswered).toBe(0);
      }
      expect(await fixture().taken(tenant.accountId)).toEqual([await countKept(tenant)]);
      // The next round must not claim what is left of this one.
      await fixture().change(ids, `device_id = 'dev_past' || id`);
    }),
    { numRuns: 200, endOnFailure: true },
  );
});
