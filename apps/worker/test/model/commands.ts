/** The commands that fast-check runs in any order: acts of customers, workers, the network, the phone, and time. */
import { cancelMessage, expireMessages, failUnlinkedMessages, requestUnlink, wakeMessages } from '@kurir/database';
import fc from 'fast-check';
import type { Accepted } from './expected.js';
import type { Fate } from './network.js';
import type { StoppableWorker } from './stoppable-worker.js';
import { Verifier } from './verifier.js';
import { ticketOf, type MessageDraft, type World } from './world.js';

/** A world and the verifier that watches it. */
export type Watched = { readonly world: World; readonly verifier: Verifier };

export const watch = (world: World): Watched => ({ world, verifier: new Verifier(world) });

export type Command = fc.AsyncCommand<Watched, Watched>;

class Happening<Detail> implements fc.AsyncCommand<Watched, Watched> {
  readonly #what: string;
  readonly #detail: Detail;
  readonly #possible: (world: World, detail: Detail) => boolean;
  readonly #happen: (world: World, detail: Detail) => Promise<unknown>;

  constructor(
    what: string,
    detail: Detail,
    possible: (world: World, detail: Detail) => boolean,
    happen: (world: World, detail: Detail) => Promise<unknown>,
  ) {
    this.#what = what;
    this.#detail = detail;
    this.#possible = possible;
    this.#happen = happen;
  }

  check({ world }: Watched): boolean {
    return this.#possible(world, this.#detail);
  }

  async run({ world, verifier }: Watched): Promise<void> {
    await this.#happen(world, this.#detail);
    await verifier.check();
  }

  toString(): string {
    return `${this.#what} ${fc.stringify(this.#detail)}`;
  }
}

function happening<Detail>(
  what: string,
  detail: fc.Arbitrary<Detail>,
  happen: (world: World, detail: Detail) => Promise<unknown>,
  possible: (world: World, detail: Detail) => boolean = () => true,
): fc.Arbitrary<Command> {
  return detail.map((value) => new Happening(what, value, possible, happen));
}

const which = fc.constantFrom<0 | 1>(0, 1);
const steps = fc.oneof({ weight: 2, arbitrary: fc.nat(8) }, { weight: 2, arbitrary: fc.constant(40) });
const fate = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fate>('ack') },
  { weight: 4, arbitrary: fc.constantFrom<Fate>('ack-lost', 'lost', 'delayed', 'refused', 'busy', 'reset') },
);
const fates = fc.array(fate, { maxLength: 4 });
/** Mostly the usual value. Otherwise few runs would have two messages to one recipient. */
const mostly = <T>(usual: T, other: T) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
const draft: fc.Arbitrary<MessageDraft> = fc.record({
  recipient: mostly<0 | 1>(0, 1),
  priority: mostly<0 | 1>(1, 0),
  ttlSeconds: fc.constantFrom(30, 300, null),
  inSeconds: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant(60) }),
});

const workerOf = (world: World, { w }: { readonly w: 0 | 1 }): StoppableWorker => world.workers[w];
const aWorker = fc.record({ w: which });
const aWorkerThatGoes = fc.record({ w: which, steps, fates });
const aMessage = fc.nat(5);

const messageAt = ({ expected }: World, index: number): Accepted | undefined =>
  expected.accepted[index % Math.max(1, expected.accepted.length)];
const isAny = ({ expected }: World) => expected.accepted.length > 0;

const customers = [
  happening('send', fc.array(draft, { minLength: 1, maxLength: 3 }), (world, drafts) => world.send(drafts)),
  happening(
    'send again',
    fc.nat(5),
    (world, index) => world.sendAgain(index),
    (world) => world.requests.length > 0,
  ),
  happening('cancel', aMessage, cancel, isAny),
];

async function cancel(world: World, index: number): Promise<void> {
  const message = messageAt(world, index);
  if (message === undefined) return;
  const before = message.cancelledAt;
  // Noted before the request, because the verifier checks the event against it.
  message.cancelledAt ??= world.expected.now;
  const outcome = await cancelMessage(world.database, world.accountId, message.id);
  if (outcome !== 'cancelled') message.cancelledAt = before;
}

/** The turn of a ticket that may be late, repeated, or for a message that has ended. */
async function turn(world: World, { w, message, steps: count, fates: next }: TurnDetail): Promise<void> {
  const accepted = messageAt(world, message);
  if (accepted === undefined) return;
  const worker = world.workers[w];
  await worker.turn(ticketOf(world, accepted));
  await worker.go(count, next);
}

type TurnDetail = { readonly w: 0 | 1; readonly message: number; readonly steps: number; readonly fates: Fate[] };
const turnDetail: fc.Arbitrary<TurnDetail> = fc.record({ w: which, message: aMessage, steps, fates });

const workers = [
  happening(
    'turn',
    turnDetail,
    turn,
    (world, detail) => isAny(world) && workerOf(world, detail).isOpen && workerOf(world, detail).isIdle,
  ),
  happening(
    'go on',
    aWorkerThatGoes,
    (world, detail) => workerOf(world, detail).go(detail.steps, detail.fates),
    (world, detail) => !workerOf(world, detail).isIdle,
  ),
];

const leases = [
  happening(
    'take',
    aWorkerThatGoes,
    async (world, detail) => {
      await workerOf(world, detail).take();
      await workerOf(world, detail).go(detail.steps, detail.fates);
    },
    (world, detail) => !workerOf(world, detail).holds && workerOf(world, detail).isIdle,
  ),
  happening(
    'connect',
    aWorkerThatGoes,
    async (world, detail) => {
      await workerOf(world, detail).connect();
      await workerOf(world, detail).go(detail.steps, detail.fates);
    },
    (world, detail) =>
      workerOf(world, detail).holds && !workerOf(world, detail).isOpen && workerOf(world, detail).isIdle,
  ),
  happening(
    'renew',
    aWorker,
    (world, detail) => workerOf(world, detail).renew(),
    (world, detail) => workerOf(world, detail).holds,
  ),
  happening(
    'recover',
    aWorkerThatGoes,
    async (world, detail) => {
      await workerOf(world, detail).recover();
      await workerOf(world, detail).go(detail.steps, detail.fates);
    },
    (world, detail) => workerOf(world, detail).isOpen && workerOf(world, detail).isIdle,
  ),
  happening(
    'hand over',
    aWorker,
    async (world, detail) => {
      await workerOf(world, detail).release();
      await workerOf(world, detail).goToTheEnd();
    },
    (world, detail) => workerOf(world, detail).holds && workerOf(world, detail).isIdle,
  ),
];

const breakages = [
  happening('kill', aWorker, async (world, { w }) => {
    world.expected.faulty = true;
    world.workers[w].lose();
    world.workers[w] = world.newWorker();
  }),
  happening(
    'break the connection',
    aWorker,
    async (world, detail) => {
      world.expected.faulty = true;
      workerOf(world, detail).lose();
    },
    (world, detail) => workerOf(world, detail).isConnected,
  ),
  happening(
    'give a statement up',
    aWorker,
    async (world, detail) => {
      world.expected.faulty = true;
      await workerOf(world, detail).giveUp();
    },
    (world, detail) => workerOf(world, detail).mayGiveUp,
  ),
  happening(
    'carry a statement out late',
    fc.nat(3),
    (world, index) => world.carryOutLate(index),
    (world) => world.wiretap.late.length > 0,
  ),
  happening(
    'arrive late',
    fc.nat(3),
    async (world, index) => world.network.arrive(index % world.network.inFlight.length),
    (world) => world.network.inFlight.length > 0,
  ),
];

async function report(world: World, { index, status }: { index: number; status: 'sent' | 'delivered' | 'read' }) {
  const shown = world.network.shown[index % world.network.shown.length];
  if (shown === undefined) return;
  const { networkMessageId } = shown;
  await world.contacts.noteRecipientOf(networkMessageId);
  await world.reports.reported({ deviceId: world.expected.deviceId, networkMessageId, status });
}

const network = [
  happening(
    'report',
    fc.record({ index: fc.nat(5), status: fc.constantFrom('sent' as const, 'delivered' as const, 'read' as const) }),
    report,
    (world) => world.network.shown.length > 0,
  ),
];

/** A second, a lease's renewal, shortly before and after its end, after a short expiry, after the longest try. */
const passages = fc.constantFrom(1_000, 5_000, 14_000, 16_000, 31_000, 61_000, 140_000, 301_000);

const time = [
  happening('time passes', passages, (world, ms) => world.pass(ms)),
  happening('sweep', fc.constant(null), async (world) => {
    await expireMessages(world.database);
    await wakeMessages(world.database);
    await failUnlinkedMessages(world.database);
  }),
];

const unlinking = [
  happening('ask to unlink', fc.constant(null), async (world) => {
    if (await requestUnlink(world.database, world.accountId, world.expected.deviceId)) world.expected.wanted = false;
  }),
  happening(
    'log out',
    aWorker,
    async (world, detail) => {
      world.expected.faulty = true;
      await workerOf(world, detail).logOut();
    },
    (world, detail) => !world.expected.wanted && workerOf(world, detail).isConnected && workerOf(world, detail).isIdle,
  ),
  happening('the phone logs out', aWorker, async (world, detail) => {
    world.expected.faulty = true;
    world.network.logOut();
    await workerOf(world, detail).hearLoggedOut();
  }),
];

const oneOf = (weight: number, arbitraries: readonly fc.Arbitrary<Command>[]) => ({
  weight,
  arbitrary: fc.oneof(...arbitraries),
});

/** Each kind of command has a weight that makes runs go far. */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  oneOf(5, customers),
  oneOf(9, workers),
  oneOf(5, leases),
  oneOf(3, breakages),
  oneOf(2, network),
  oneOf(4, time),
  oneOf(1, unlinking),
);
