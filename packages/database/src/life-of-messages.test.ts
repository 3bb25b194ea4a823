/** Random lives of messages, moved by several owners, customers and sweeps at once. */
import { type MessageId, type MessageStatus, messageMoves, refundedStatuses } from '@kurir/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimAgain, createClaimer, type Holder, readUnsettled } from './claim-message.js';
import { networkMessageIdOf } from './network-message-id.js';
import { cancelMessage } from './read-messages.js';
import { createOutcomeWriter, giveUp, type TryOutcome } from './report-outcome.js';
import { expireMessages, failUnlinkedMessages } from './sweep-messages.js';
import { present, type Tenant, useBench } from './testing/bench.js';

const bench = useBench();

const message = fc.nat(2);
/** 0 is the present owner, more are those before it. */
const owner = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) });
const outcome = fc.constantFrom<TryOutcome>(
  { kind: 'sent' },
  { kind: 'not-sent', permanent: true, reason: 'rejected_by_network' },
  { kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable', retryAfterMs: 0 },
);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('claim' as const), owner, most: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('hand back' as const), owner, message, past: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer' as const), owner, message, outcome }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      message,
      status: fc.constantFrom('sent' as const, 'delivered' as const, 'read' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), owner }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), message }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), message }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hand over' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unlink' as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Of the message as it is, or as it was when one was asked for last. */
async function versionOf(id: MessageId, past: boolean): Promise<string> {
  const [row] = await bench().query<{ version: string }>('SELECT xmin AS version FROM messages WHERE id = $1', [id]);
  const version = (past ? versions.get(id) : undefined) ?? present(row).version;
  versions.set(id, present(row).version);
  return version;
}

const versions = new Map<MessageId, string>();

async function take(taken: Step, tenant: Tenant, ids: readonly MessageId[], holders: Holder[]): Promise<unknown> {
  const { database } = bench();
  const holder = 'owner' in taken ? (holders.at(-1 - taken.owner) ?? holders[0]) : holders.at(-1);
  const id = 'message' in taken ? ids[taken.message] : ids[0];
  if (holder === undefined || id === undefined) throw new Error('there is always a holder and a message');
  switch (taken.do) {
    case 'claim':
      return createClaimer(database).submit({
        ...holder,
        priority: 1,
        upToSeq: 2n ** 62n,
        most: taken.most,
        except: [],
      });
    case 'answer':
      return createOutcomeWriter(database).answered(
        { id, networkMessageId: networkMessageIdOf(id) },
        holder.epoch,
        taken.outcome,
      );
    case 'hand back':
      return createOutcomeWriter(database).handBack(holder.epoch, [{ id, version: await versionOf(id, taken.past) }]);
    case 'report':
      return createOutcomeWriter(database).reported({
        deviceId: tenant.deviceId,
        networkMessageId: networkMessageIdOf(id),
        status: taken.status,
      });
    case 'settle':
      for (const left of await readUnsettled(database, tenant.deviceId))
        if ((await claimAgain(database, holder, left)) === null) await giveUp(database, holder, left);
      return;
    case 'cancel':
      return cancelMessage(database, tenant.accountId, id);
    case 'expire':
      await bench().query('UPDATE messages SET expires_at = now() - make_interval(secs => 1) WHERE id = $1', [id]);
      return expireMessages(database);
    case 'hand over':
      holders.push(await bench().handOver(holder));
      return;
    case 'unlink':
      await bench().query('UPDATE devices SET linked = false WHERE id = $1', [tenant.deviceId]);
      await failUnlinkedMessages(database);
      return bench().query('UPDATE devices SET linked = true WHERE id = $1', [tenant.deviceId]);
  }
}

type Row = { status: MessageStatus; unanswered: number; life: MessageStatus[] };

async function livesOf(ids: readonly MessageId[]): Promise<Row[]> {
  return bench().query<Row>(
    `SELECT m.status, m.unanswered,
            ARRAY(SELECT e.status FROM message_events e WHERE e.message_id = m.id ORDER BY e.ordinal) AS life
     FROM messages m WHERE m.id = ANY ($1)`,
    [ids],
  );
}

/** Messages of the tenant that did not give their quota back. */
async function countKept({ accountId }: Tenant): Promise<number | undefined> {
  const [row] = await bench().query<{ n: number }>(
    'SELECT count(*)::int AS n FROM messages WHERE account_id = $1 AND status <> ALL ($2)',
    [accountId, refundedStatuses],
  );
  return row?.n;
}

test('whoever moves messages in whatever order, status never moves back and the quota is the sum of the states', async () => {
  const tenant = await bench().tenant({ quota: 100_000 });
  const holders = [tenant.holder];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 7 }), async (rounds) => {
      const ids = (await bench().accept(tenant, [{}, {}, {}])).map((accepted) => accepted.messageId);
      for (const round of rounds) await Promise.all(round.map((taken) => take(taken, tenant, ids, holders)));

      for (const { life, status, unanswered } of await livesOf(ids)) {
        const walked: MessageStatus[] = ['queued', ...life];
        walked.reduce((from, to) => {
          expect(messageMoves[from], walked.join()).toContain(to);
          return to;
        });
        expect(status).toBe(walked.at(-1));
        if (status === 'failed' || status === 'cancelled' || status === 'expired') expect(unanswered).toBe(0);
      }
      expect(await bench().taken(tenant.accountId)).toEqual([await countKept(tenant)]);
      // What is left of this round must not be claimed in the next one.
      await bench().query(`UPDATE messages SET device_id = 'dev_past' WHERE id = ANY ($1)`, [ids]);
    }),
    { numRuns: 200, endOnFailure: true },
  );
});
