/** Otps that are rung for, through a held device, Postgres and a network: each arrives once, in order. */
import { changeDevice } from '@kurir/database';
import { createEnqueuer, createOtpBell } from '@kurir/queue';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { type HolderOptions, useBench } from './testing/bench.js';
import type { Customer } from './testing/customers.js';
import { newPhoneNumber, numberedTexts } from './testing/network.js';

const bench = useBench();

/** A bell that the test rings, and a holder that nothing sweeps for: what is neither rung for nor has a job stays where it is. */
function openListeningHolder(options: HolderOptions = {}) {
  const heard = { ring: null as (() => void) | null, filled: 0 };
  const holder = bench().openHolder({
    ...options,
    otpBell: {
      listen(_deviceId, onRing) {
        heard.ring = onRing;
        return () => {
          heard.ring = null;
        };
      },
    },
    fillLane: () => void heard.filled++,
  });
  return { holder, heard };
}

const otpsTo = (recipient: string, texts: readonly string[]) =>
  texts.map((text) => ({ recipient, text, priority: 'otp' as const }));

/** Sends until the lane listens; what was sent, and how to ring, which is heard also if two seconds are quiet meanwhile. */
async function untilItListens(customer: Customer, phone: string, heard: { readonly ring: (() => void) | null }) {
  const texts: string[] = [];
  while (heard.ring === null) {
    texts.push(`before ${texts.length}`);
    await bench().send(customer, otpsTo(phone, texts.slice(-1)));
    await bench().network.untilTexts(phone, texts.length);
  }
  return { texts, ring: heard.ring };
}

/** None of them was written to the network twice. */
async function expectOnceInOrder(phone: string, texts: readonly string[]): Promise<void> {
  await bench().network.untilTexts(phone, texts.length);
  expect(await bench().network.texts(phone)).toEqual(texts);
  const inbox = await bench().network.inbox(phone);
  expect(inbox.filter((entry) => entry.copies > 0)).toEqual([]);
}

describe('a lane that listens', () => {
  test('sends what is rung for without a job, in order', async () => {
    const { holder, heard } = openListeningHolder();
    const customer = await bench().hold(holder);
    const phone = newPhoneNumber();
    const { texts, ring } = await untilItListens(customer, phone, heard);
    for (const text of numberedTexts(20)) {
      texts.push(text);
      await bench().accept(customer, otpsTo(phone, [text]));
      ring();
      ring();
    }
    await expectOnceInOrder(phone, texts);
  });

  test('sends what was committed and rung for while a claim was under way', async () => {
    const held: { afterClaim?: () => Promise<void> } = {};
    const { holder, heard } = openListeningHolder({
      wrapClaimer: (claimer) => ({
        ...claimer,
        async submit(request) {
          const claim = await claimer.submit(request);
          await held.afterClaim?.();
          return claim;
        },
      }),
    });
    const customer = await bench().hold(holder);
    const phone = newPhoneNumber();
    const { texts, ring } = await untilItListens(customer, phone, heard);
    held.afterClaim = async () => {
      delete held.afterClaim;
      await bench().accept(customer, otpsTo(phone, ['during']));
      ring();
    };
    await bench().accept(customer, otpsTo(phone, ['first']));
    ring();
    await expectOnceInOrder(phone, [...texts, 'first', 'during']);
  });

  test('claims once for a ring that nothing is due for', async () => {
    let claims = 0;
    const { holder, heard } = openListeningHolder({
      wrapClaimer: (claimer) => ({
        ...claimer,
        submit(request) {
          claims++;
          return claimer.submit(request);
        },
      }),
    });
    const customer = await bench().hold(holder);
    const { ring } = await untilItListens(customer, newPhoneNumber(), heard);
    await holder.holder.get(customer.deviceId)?.settle();
    const before = claims;
    ring();
    // Waits for the turn of the ring.
    await holder.holder.get(customer.deviceId)?.settle();
    expect(claims).toBe(before + 1);
  });

  test('that is busy with a ring, and has no turn from BullMQ, can be seen to have none', async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const held: { claim?: Promise<void> } = {};
    const { holder, heard } = openListeningHolder({
      wrapClaimer: (claimer) => ({
        ...claimer,
        async submit(request) {
          await held.claim;
          return claimer.submit(request);
        },
      }),
    });
    const customer = await bench().hold(holder);
    const { ring } = await untilItListens(customer, newPhoneNumber(), heard);
    const device = holder.holder.get(customer.deviceId);
    if (device === undefined) throw new Error('the holder has no such device');
    await device.settle();
    held.claim = opened;
    ring();
    try {
      await waitUntil(() => device.isBusy && device.laneIdleMs > 100, {
        what: 'it is busy, and BullMQ gives it nothing',
      });
    } finally {
      open();
    }
  });

  test('that gets a jitter sends nothing that is rung for: it has itself filled, and listens no more', async () => {
    const { holder, heard } = openListeningHolder();
    const customer = await bench().hold(holder);
    const phone = newPhoneNumber();
    const { texts, ring } = await untilItListens(customer, phone, heard);
    await changeDevice(bench().database, bench().sealer, customer.accountId, customer.deviceId, { paceJitterMs: 100 });
    await holder.holder.reconcile();
    const { filled } = heard;
    await bench().accept(customer, otpsTo(phone, ['rung for']));
    ring();
    expect(heard).toEqual({ ring: null, filled: filled + 1 });
    await holder.holder.get(customer.deviceId)?.settle();
    expect(await bench().network.texts(phone)).toEqual(texts);
  });

  test('sends what was rung for while Postgres was away, without another ring', async () => {
    let failures = 0;
    const { holder, heard } = openListeningHolder({
      wrapClaimer: (claimer) => ({
        ...claimer,
        async submit(request) {
          try {
            return await claimer.submit(request);
          } catch (error) {
            failures++;
            throw error;
          }
        },
      }),
    });
    const customer = await bench().hold(holder);
    const phone = newPhoneNumber();
    const { texts, ring } = await untilItListens(customer, phone, heard);
    await bench().accept(customer, otpsTo(phone, ['rung for']));
    await bench().postgres.cut();
    ring();
    await waitUntil(() => failures > 0, { what: 'a claim has failed' });
    await bench().postgres.restore();
    await expectOnceInOrder(phone, [...texts, 'rung for']);
  });

  test('listens no more once its device is handed over', async () => {
    const { holder, heard } = openListeningHolder();
    const customer = await bench().hold(holder);
    await untilItListens(customer, newPhoneNumber(), heard);
    await holder.stop();
    expect(heard.ring).toBeNull();
  });
});

describe('otps that keep coming', () => {
  /** As one api does, which knows when it made a job last. */
  function openEnqueuer() {
    const enqueuer = createEnqueuer(bench().queue, { onDropped: () => undefined });
    return async (customer: Customer, phone: string, text: string) =>
      enqueuer.offer(await bench().accept(customer, otpsTo(phone, [text])));
  }

  async function listeners({ deviceId }: Customer): Promise<number> {
    const { commands, options } = bench().queue;
    return Number((await commands.pubsub('NUMSUB', `${options.prefix}:otps:${deviceId}`))[1]);
  }

  test("arrive once, in order, through a hand-over to another worker and the workers' loss of Redis", async () => {
    const first = bench().startWorker();
    const customer = await bench().customer();
    const phone = newPhoneNumber();
    const send = openEnqueuer();
    const texts: string[] = [];
    const sendSome = async (what: string, count = 15) => {
      for (const text of numberedTexts(count)) {
        texts.push(`${what} ${text}`);
        await send(customer, phone, `${what} ${text}`);
      }
    };
    await waitUntil(
      async () => {
        await sendSome(`first ${texts.length}`, 1);
        // A lane that is never done with what is due has one turn after the other of the same job.
        await bench().network.untilTexts(phone, texts.length);
        return (await listeners(customer)) === 1;
      },
      { what: 'the lane listens' },
    );
    bench().startWorker();
    const stopped = first.stop();
    await sendSome('during');
    await stopped;
    await bench().redis.cut();
    await sendSome('without Redis');
    await bench().redis.restore();
    await sendSome('after');
    await expectOnceInOrder(phone, texts);
  });

  test('are heard by their lane, too, although somebody listens who has lost the device', async () => {
    // Nothing sweeps for it: but for the job a second it would have nothing after the first.
    const customer = await bench().hold(bench().openHolder());
    const phone = newPhoneNumber();
    const stop = createOtpBell(bench().queue).listen(customer.deviceId, () => undefined);
    await waitUntil(async () => (await listeners(customer)) === 1, { what: 'somebody listens' });
    const send = openEnqueuer();
    const texts: string[] = [];
    const sendNext = () => send(customer, phone, texts[texts.push(`code ${texts.length}`) - 1] ?? '');
    await waitUntil(
      async () => {
        await sendNext();
        return (await listeners(customer)) === 2;
      },
      { what: 'the lane listens, too' },
    );
    await sendNext();
    await expectOnceInOrder(phone, texts);
    stop();
  });
});
