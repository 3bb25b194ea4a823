/** A claim that Postgres commits and nobody hears of, because the connection broke between the two; and an answer that it does not take. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageId } from '@kurir/contracts';
import type { createClaimer, OutcomeWriter } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { useBench } from './testing/bench.js';
import { newPhoneNumber, numberedTexts } from './testing/network.js';

const bench = useBench();

type Claimer = ReturnType<typeof createClaimer>;

/** The first answers that say that something was claimed get lost. */
function deafFor(answers: number): (claimer: Claimer) => Claimer {
  let left = answers;
  return (claimer) => ({
    ...claimer,
    async submit(request) {
      const outcome = await claimer.submit(request);
      if (outcome.kind !== 'claimed' || left === 0) return outcome;
      left--;
      throw new Error('the connection broke');
    },
  });
}

test('a message whose claim was not heard of, four times, goes out as if it had not been claimed', async () => {
  const customer = await bench().hold(bench().openHolder({ wrapClaimer: deafFor(4) }));
  const phone = newPhoneNumber();
  const id = await bench().sendOne(customer, { recipient: phone, text: 'Kode 1234' });
  await bench().untilStatus(id, 'read');
  expect(await bench().network.inbox(phone)).toMatchObject([{ text: 'Kode 1234', copies: 0 }]);
  expect(await bench().message(id)).toMatchObject({ attempts: 1, unanswered: 0 });
});

/** The first acknowledgement is not stored. */
function refusingOnce(outcomes: OutcomeWriter): OutcomeWriter {
  let refused = false;
  return {
    ...outcomes,
    async answered(message, epoch, outcome) {
      if (refused || outcome.kind !== 'sent') return outcomes.answered(message, epoch, outcome);
      refused = true;
      throw new Error('Postgres refused the statement');
    },
  };
}

test('an answer that is not stored, while the next message is claimed: all arrive once, in order', async () => {
  const customer = await bench().hold(bench().openHolder({ wrapOutcomes: refusingOnce }));
  const phone = newPhoneNumber();
  await bench().network.fault({ kind: 'receipt_lost', recipient: phone, count: 2 });
  const [first, ...others] = await bench().sendTexts(customer, phone, numberedTexts(3));
  if (first === undefined) throw new Error('three messages were sent');
  const isOver = async (id: MessageId) => !['queued', 'sending'].includes((await bench().message(id)).status);
  for (const id of [first, ...others]) await waitUntil(() => isOver(id), { what: 'all are sent' });
  expect(await bench().network.texts(phone)).toEqual(numberedTexts(3));
  expect((await bench().network.inbox(phone)).map(({ copies }) => copies)).toEqual([1, 0, 0]);
});

/** Keeps the acknowledgements until they are let go. */
function keeping(kept: (() => void)[]): (outcomes: OutcomeWriter) => OutcomeWriter {
  return (outcomes) => ({
    ...outcomes,
    async answered(...answer) {
      await new Promise<void>((resolve) => kept.push(resolve));
      return outcomes.answered(...answer);
    },
  });
}

test('while answers are being stored the next messages go out, sixteen of them and no more', async () => {
  const kept: (() => void)[] = [];
  const customer = await bench().hold(bench().openHolder({ wrapOutcomes: keeping(kept) }));
  const phone = newPhoneNumber();
  const all = numberedTexts(20);
  const ids = await bench().sendTexts(customer, phone, all);
  await bench().network.untilTexts(phone, 16);
  // Time for one too many to arrive.
  await sleep(300);
  expect(await bench().network.texts(phone)).toEqual(all.slice(0, 16));
  expect(kept).toHaveLength(16);
  kept.shift()?.();
  await bench().network.untilTexts(phone, 17);
  const letGo = setInterval(() => kept.shift()?.(), 5);
  try {
    for (const id of ids) await bench().untilStatus(id, 'read');
  } finally {
    clearInterval(letGo);
  }
  expect(await bench().network.texts(phone)).toEqual(all);
  expect((await bench().network.inbox(phone)).map(({ copies }) => copies)).toEqual(all.map(() => 0));
});
