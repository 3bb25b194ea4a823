import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireMessages, failUnlinkedMessages, readMessage, wakeMessages } from '@kurir/database';
import { watch } from './commands.js';
import { explore } from './explore.js';
import { isMutantName, type MutantName, mutants, mutate } from './mutants.js';
import type { Fate } from './network.js';
import { finishRun } from './finish-run.js';
import { beginningMs, openStoppedClock, refuseOwnClock, type StoppedClock } from './stopped-clock.js';
import { ticketOf, type Wish, World } from './world.js';

const seed = 20261121;
/** What `npm test` has time for; `npm run model` tries as many as it is told. */
const runs = 200;

let clock: StoppedClock;
beforeAll(async () => {
  clock = await openStoppedClock();
});
afterAll(() => clock.close());

const begin = () => World.begin(clock, { rewrite: mutate(null).rewrite, polite: false });
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
  await world.workers[0].turn(ticketOf(world, message));
  await world.workers[0].go(1);
  expect(await statusOf(world)).toBe('sending');
}

const statements = new Map<string, string>();

test('whatever happens between any two steps of two workers, no promise breaks', async () => {
  expect(await explore(clock, { runs, seed, statements })).toBeNull();
}, 60_000);

test.each(Object.keys(mutants).filter(isMutantName))(
  'the mutant %s changes statements that the product has',
  (name) => {
    const { rewrite, idle } = mutate(name);
    for (const [statement, text] of statements) rewrite(statement, text);
    expect(idle()).toEqual([]);
  },
);

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

/** Lives that the random ones rarely come to, each with the fault that it would show. */
describe('a life of its own', () => {
  type Life = (world: World, check: () => Promise<void>) => Promise<void>;

  async function live(life: Life, mutant: MutantName | null): Promise<void> {
    const own = mutant === null ? clock : await openStoppedClock();
    try {
      const world = await World.begin(own, { rewrite: mutate(mutant).rewrite, polite: false });
      const { verifier } = watch(world);
      await life(world, () => verifier.check());
      await finishRun(world, verifier);
    } finally {
      if (own !== clock) await own.close();
    }
  }

  async function takeTurn(world: World, index: number, steps: number, fates: readonly Fate[] = []): Promise<void> {
    const [worker] = world.workers;
    const message = world.expected.accepted[index];
    if (message === undefined) throw new Error('it was not accepted');
    await worker.turn(ticketOf(world, message));
    await worker.go(steps, fates);
  }

  async function giveUp(world: World): Promise<void> {
    world.expected.faulty = true;
    await world.workers[0].giveUp();
  }

  /** Two to one recipient; the first is refused for now, then the second gets its turn. */
  const refusedForNow: Life = async (world) => {
    await world.send([lastingWish, lastingWish]);
    await takeTurn(world, 0, 40, ['busy']);
    await takeTurn(world, 1, 40);
  };

  /** The claim is carried out, and its worker gives it up before it hears so. */
  const unheardClaim: Life = async (world, check) => {
    await world.send([lastingWish]);
    await takeTurn(world, 0, 1);
    await giveUp(world);
    await world.workers[0].goToTheEnd();
    await takeTurn(world, 0, 1);
    await check();
    await world.workers[0].goToTheEnd();
  };

  /** A refusal is given up and stored again; carried out late, it meets the next try, which the phone shows. */
  const lateRefusal: Life = async (world, check) => {
    await world.send([wish]);
    await takeTurn(world, 0, 3, ['busy']);
    await giveUp(world);
    await world.workers[0].goToTheEnd();
    await world.pass(2_000);
    await wakeMessages(world.database);
    await takeTurn(world, 0, 2, ['ack-lost']);
    expect(world.network.shown).toHaveLength(1);
    await world.carryOutLate(0);
    await world.pass(31_000);
    await expireMessages(world.database);
    await check();
  };

  test.each<[string, Life, MutantName, string]>([
    ['what follows to a recipient waits for a refused message', refusedForNow, 'overtaking', 'went out first'],
    ['a claim of which nobody heard costs no try', unheardClaim, 'unheard-claim-costs', 'counts as unanswered'],
    ['a late refusal changes nothing', lateRefusal, 'late-refusal', 'that was shown'],
  ])('%s, and a product that is broken so is seen', async (_what, life, mutant, finding) => {
    await live(life, null);
    await expect(live(life, mutant)).rejects.toThrow(finding);
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
  const quick: readonly MutantName[] = ['no-epoch', 'two-in-flight', 'missing-step', 'no-pace', 'lease-not-raised'];

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
    expect(() => mutate('no-epoch').rewrite('claim-messages', 'SELECT 1')).toThrow('nothing to change');
  });
});
