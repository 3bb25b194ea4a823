import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expireMessages, failUnlinkedMessages, readMessage, wakeMessages } from '@kurir/database';
import { watch } from './commands.js';
import { explore } from './explore.js';
import { isMutantName, type MutantName, mutants, mutate } from './mutants.js';
import type { Fate } from './network.js';
import { finishRun } from './finish-run.js';
import { beginningMs, openStoppedClock, refuseOwnClock, type StoppedClock } from './stopped-clock.js';
import { ticketOf, type MessageDraft, World } from './world.js';

const seed = 20261121;
/** So many runs fit into `npm test`. `npm run model` makes as many as its flag says. */
const runs = 200;

let clock: StoppedClock;
beforeAll(async () => {
  clock = await openStoppedClock();
});
afterAll(() => clock.close());

const begin = () => World.begin(clock, { rewrite: mutate(null).rewrite, polite: false });
const draft: MessageDraft = { recipient: 0, priority: 1, ttlSeconds: 30, inSeconds: null };
const lastingDraft: MessageDraft = { ...draft, ttlSeconds: null };

async function statusOf(world: World): Promise<string | undefined> {
  const [message] = world.expected.accepted;
  if (message === undefined) throw new Error('nothing was accepted');
  return (await readMessage(world.database, world.accountId, message.id))?.message.status;
}

/** The first worker claims the message and stops before it receives the answer. */
async function claimAndStop(world: World): Promise<void> {
  await world.send([draft]);
  const [message] = world.expected.accepted;
  if (message === undefined) throw new Error('nothing was accepted');
  await world.workers[0].turn(ticketOf(world, message));
  await world.workers[0].go(1);
  expect(await statusOf(world)).toBe('sending');
}

const statements = new Map<string, string>();

test('no promise breaks, for any events between any two steps of two workers', async () => {
  expect(await explore(clock, { runs, seed, statements })).toBeNull();
}, 60_000);

test.each(Object.keys(mutants).filter(isMutantName))('the mutant %s changes statements of the product', (name) => {
  const { rewrite, idle } = mutate(name);
  for (const [statement, text] of statements) rewrite(statement, text);
  expect(idle()).toEqual([]);
});

describe('a worker that stopped between its claim and the socket', () => {
  test('sends a message that has not expired', async () => {
    const world = await begin();
    await claimAndStop(world);
    await world.pass(29_000);
    await world.workers[0].goToTheEnd();
    expect(world.network.shown).toHaveLength(1);
    expect(await statusOf(world)).toBe('sent');
  });

  test('sends nothing after the expiry, and the message expires', async () => {
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

/** Runs that random ones rarely contain, each with the mutant that it finds. */
describe('in a planned run', () => {
  type PlannedRun = (world: World, check: () => Promise<void>) => Promise<void>;

  async function perform(run: PlannedRun, mutant: MutantName | null): Promise<void> {
    const own = mutant === null ? clock : await openStoppedClock();
    try {
      const world = await World.begin(own, { rewrite: mutate(mutant).rewrite, polite: false });
      const { verifier } = watch(world);
      await run(world, () => verifier.check());
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

  /** Two messages to one recipient. The network refuses the first for the moment; then the second gets a turn. */
  const refusedForNow: PlannedRun = async (world) => {
    await world.send([lastingDraft, lastingDraft]);
    await takeTurn(world, 0, 40, ['busy']);
    await takeTurn(world, 1, 40);
  };

  /** Postgres runs a claim, and the claim times out before its worker receives the answer. */
  const unheardClaim: PlannedRun = async (world, check) => {
    await world.send([lastingDraft]);
    await takeTurn(world, 0, 1);
    await giveUp(world);
    await world.workers[0].goToTheEnd();
    await takeTurn(world, 0, 1);
    await check();
    await world.workers[0].goToTheEnd();
  };

  /** The write of a refusal times out and is repeated. Postgres runs the first write during the next try, which the phone shows. */
  const lateRefusal: PlannedRun = async (world, check) => {
    await world.send([draft]);
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

  test.each<[string, PlannedRun, MutantName, string]>([
    ['later messages to a recipient wait for a refused one', refusedForNow, 'overtaking', 'went out first'],
    ['a claim whose answer nobody received costs no try', unheardClaim, 'unheard-claim-costs', 'counts as unanswered'],
    ['a late refusal changes nothing', lateRefusal, 'late-refusal', 'that was shown'],
  ])('%s, and the model finds the mutant that breaks this', async (_what, run, mutant, finding) => {
    await perform(run, null);
    await expect(perform(run, mutant)).rejects.toThrow(finding);
  });
});

describe('the clock', () => {
  test("stands still in all statements of a run, and no row has the machine's time", async () => {
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

  test("refuses statements that read the machine's time", () => {
    expect(() => refuseOwnClock('SELECT CURRENT_TIMESTAMP')).toThrow('CURRENT_TIMESTAMP');
    expect(() => refuseOwnClock(`SELECT 'now'::timestamptz`)).toThrow(`'now'`);
    expect(() => refuseOwnClock('SELECT now()')).not.toThrow();
  });
});

describe('a mutant', () => {
  /** The number of runs until the model finds a mutant depends on the seed. */
  const enough = 1_000;
  /** The mutants that a few hundred runs find. `npm run model -- --mutant NAME` finds the others. */
  const quick: readonly MutantName[] = ['no-epoch', 'two-in-flight', 'missing-step', 'no-pace', 'lease-not-raised'];

  test.each(quick)(
    'is found by the model: %s',
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

  test('that changes nothing is an error', () => {
    expect(() => mutate('no-epoch').rewrite('claim-messages', 'SELECT 1')).toThrow('nothing to change');
  });
});
