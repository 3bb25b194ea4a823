import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireMessages, failUnlinkedMessages, readMessage } from '@kurir/database';
import { watch } from './commands.js';
import { explore } from './explore.js';
import { type MutantName, mutants, mutate } from './mutants.js';
import { settleDown } from './settle-down.js';
import { beginningMs, openStoppedClock, refuseOwnClock, type StoppedClock } from './stopped-clock.js';
import { type Wish, World } from './world.js';

const seed = 20261121;
/** What `npm test` has time for; `npm run model` tries as many as it is told. */
const runs = 200;

let clock: StoppedClock;
beforeAll(async () => {
  clock = await openStoppedClock();
});
afterAll(() => clock.close());

const begin = () => World.begin(clock, { rewrite: mutate(null), paced: true });
const wish: Wish = { recipient: 0, priority: 1, ttlSeconds: 30, inSeconds: null };
const lastingWish: Wish = { ...wish, ttlSeconds: null };

async function statusOf(world: World): Promise<string | undefined> {
  const [message] = world.expected.accepted;
  if (message === undefined) throw new Error('nothing was accepted');
  return (await readMessage(world.database, world.accountId, message.id))?.message.status;
}

/** The first worker claims the message and stops before it hears that it has it. */
async function claimAndStop(world: World): Promise<void> {
  await world.send([wish]);
  const [message] = world.expected.accepted;
  if (message === undefined) throw new Error('nothing was accepted');
  const { id: messageId, priority, seq } = message;
  const { deviceId } = world.expected;
  await world.workers[0].turn({ messageId, deviceId, priority, seq, expiresAt: null, requestId: 'req_model' });
  await world.workers[0].go(1);
  expect(await statusOf(world)).toBe('sending');
}

test('whatever happens between any two steps of two workers, no promise breaks', async () => {
  expect(await explore(clock, { runs, seed })).toBeNull();
}, 60_000);

describe('a worker that stopped between its claim and the socket', () => {
  test('sends what still has time', async () => {
    const world = await begin();
    await claimAndStop(world);
    await world.pass(29_000);
    await world.workers[0].goToTheEnd();
    expect(world.network.shown).toHaveLength(1);
    expect(await statusOf(world)).toBe('sent');
  });

  test('writes nothing when its time has run out, and the message expires', async () => {
    const world = await begin();
    await claimAndStop(world);
    for (let renewals = 0; renewals < 4; renewals++) {
      await world.pass(10_000);
      await world.workers[0].renew();
    }
    await world.workers[0].goToTheEnd();
    await expireMessages(world.database);
    expect(world.network.written).toEqual([]);
    expect(await statusOf(world)).toBe('expired');
  });
});

describe('a message that the network refuses for now', () => {
  /** Two to one recipient; the first is refused, then the second gets its turn. */
  async function refuseTheFirst(mutant: MutantName | null): Promise<World> {
    const own = mutant === null ? clock : await openStoppedClock();
    try {
      const world = await World.begin(own, { rewrite: mutate(mutant), paced: false });
      const { verifier } = watch(world);
      await world.send([lastingWish, lastingWish]);
      const [worker] = world.workers;
      for (const { id: messageId, priority, seq } of world.expected.accepted) {
        const { deviceId } = world.expected;
        await worker.turn({ messageId, deviceId, priority, seq, expiresAt: null, requestId: 'req_model' });
        await worker.go(40, world.network.written.length === 0 ? ['busy'] : []);
      }
      await settleDown(world, verifier);
      return world;
    } finally {
      if (own !== clock) await own.close();
    }
  }

  test('holds up what follows to the same recipient', async () => {
    const { network, expected } = await refuseTheFirst(null);
    expect(network.shown.map(({ text }) => text)).toEqual(expected.accepted.map(({ text }) => text));
  });

  test('is overtaken in a product that is broken so, and that is seen', async () => {
    await expect(refuseTheFirst('overtaking')).rejects.toThrow('a later message went out first');
  });
});

describe('the clock', () => {
  test("stands in every statement of a life, and no row knows the machine's own", async () => {
    const world = await begin();
    await world.pass(5_000);
    await claimAndStop(world);
    await world.workers[0].goToTheEnd();
    await expireMessages(world.database);
    await failUnlinkedMessages(world.database);
    const { rows } = await clock.database.pool.query<{ at: Date }>(
      `SELECT created_at AS at FROM messages UNION ALL SELECT at FROM message_events
       UNION ALL SELECT created_at FROM request_keys UNION ALL SELECT state_at FROM devices`,
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const { at } of rows) expect(at.getTime() - beginningMs).toBeOneOf([0, 5_000]);
  });

  test('cannot be gone round unnoticed', () => {
    expect(() => refuseOwnClock('SELECT CURRENT_TIMESTAMP')).toThrow('CURRENT_TIMESTAMP');
    expect(() => refuseOwnClock(`SELECT 'now'::timestamptz`)).toThrow(`'now'`);
    expect(() => refuseOwnClock('SELECT now()')).not.toThrow();
  });
});

describe('a product broken on purpose', () => {
  /** How many lives it takes to find one depends on the seed: `other-id` 37 of one and 339 of another. */
  const enough = 1_000;
  /** Those that a few hundred lives find; `npm run model -- --mutant NAME` finds the others. */
  const quick: readonly MutantName[] = ['no-epoch', 'status-back', 'refund-twice', 'other-id', 'lease-not-raised'];

  test.each(quick)(
    'is found: %s',
    async (mutant) => {
      const broken = await openStoppedClock();
      try {
        expect(await explore(broken, { runs: enough, seed, mutant })).not.toBeNull();
      } finally {
        await broken.close();
      }
    },
    120_000,
  );

  test('differs from the product, or is refused', () => {
    expect(() => mutate('no-settle')('read-unsettled', 'SELECT 1')).toThrow('nothing to change');
    expect(Object.keys(mutants).length).toBeGreaterThan(quick.length);
  });
});
