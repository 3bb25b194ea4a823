/**
 * Finishes a run: nothing breaks any more, time passes, and workers and sweeps work on. Then all accepted messages must have
 * ended.
 */
import { expireMessages, failUnlinkedMessages, readDueLanes, readSendingDevices, wakeMessages } from '@kurir/database';
import type { StoppableWorker } from './stoppable-worker.js';
import type { Verifier } from './verifier.js';
import type { World } from './world.js';

/** Longer than a lease, than a pause between tries, and than the time until a `send_at`. */
const roundMs = 65_000;
/** Longer than the day in which a new contact counts. */
const politeRoundMs = 25 * 3_600_000;
const mostRounds = 12;

async function done(work: Promise<void>, worker: StoppableWorker): Promise<void> {
  await work;
  await worker.goToTheEnd();
}

/** Lets the workers that stood still go on, and then returns a new one. Verifies in between, because each may take the device. */
async function replaceWorkers(world: World, verifier: Verifier): Promise<StoppableWorker> {
  await world.pass(roundMs);
  while (world.wiretap.late.length > 0) await world.carryOutLate(0);
  for (const worker of world.workers) {
    await worker.goToTheEnd();
    worker.lose();
    await verifier.check();
  }
  await world.pass(roundMs);
  return world.newWorker();
}

/** Makes tickets for the due messages, and takes their turns to the end. */
async function sendDue(world: World, worker: StoppableWorker): Promise<void> {
  for (const ticket of await readDueLanes(world.database, [world.expected.deviceId], 1_000)) {
    do await done(worker.turn(ticket), worker);
    while (worker.isOpen && worker.lastTurn === 'again');
  }
}

async function round(world: World, worker: StoppableWorker): Promise<void> {
  const { database } = world;
  await failUnlinkedMessages(database);
  await expireMessages(database);
  await wakeMessages(database);
  if (!worker.holds) await done(worker.take(), worker);
  await worker.renew();
  if (worker.holds && !worker.isOpen) await done(worker.connect(), worker);
  if ((await readSendingDevices(database, [world.expected.deviceId])).length > 0 && worker.isOpen)
    await done(worker.recover(), worker);
  await sendDue(world, worker);
}

export async function finishRun(world: World, verifier: Verifier): Promise<void> {
  const worker = await replaceWorkers(world, verifier);
  for (let left = mostRounds; ; left--) {
    await round(world, worker);
    await verifier.check();
    if (verifier.unfinished.length === 0) break;
    if (left === 0) throw new Error(`lost: ${verifier.unfinished.join(', ')} for ever`);
    await world.pass(world.expected.polite ? politeRoundMs : roundMs);
  }
  while (world.network.inFlight.length > 0) world.network.arrive(0);
  await verifier.check();
  await verifier.checkEnds();
}
