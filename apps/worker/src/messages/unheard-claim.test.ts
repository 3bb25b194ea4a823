/** A claim that Postgres commits and nobody hears of, because the connection broke between the two; and an answer that it does not take. */
import type { MessageId } from '@kurir/contracts';
import type { createClaimer, OutcomeWriter } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();

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
  const customer = await fixture().sendingDevice(fixture().openSupervisor({ wrapClaimer: deafFor(4) }));
  const phone = newPhoneNumber();
  const id = await fixture().sendOne(customer, { recipient: phone, text: 'Kode 1234' });
  await fixture().untilStatus(id, 'read');
  expect(await fixture().network.inbox(phone)).toMatchObject([{ text: 'Kode 1234', copies: 0 }]);
  expect(await fixture().message(id)).toMatchObject({ attempts: 1, unanswered: 0 });
});

/** The first acknowledgement is not stored, however often it is tried up to `times`. */
function refusing(times: number): (outcomes: OutcomeWriter) => OutcomeWriter {
  let left = times;
  return (outcomes) => ({
    ...outcomes,
    async answered(message, epoch, outcome) {
      if (left === 0 || outcome.kind !== 'sent') return outcomes.answered(message, epoch, outcome);
      left--;
      throw new Error('Postgres refused the statement');
    },
  });
}

test.each([
  ['once is stored before the next message is claimed', 1, 0],
  ['again and again stops its lane no longer than for three tries: its message goes out again under its id', 3, 1],
])('an answer that Postgres refuses %s; all arrive once, in order', async (_what, times, copies) => {
  const customer = await fixture().sendingDevice(fixture().openSupervisor({ wrapOutcomes: refusing(times) }));
  const phone = newPhoneNumber();
  await fixture().network.fault({ kind: 'receipt_lost', recipient: phone, count: 2 });
  const [first, ...others] = await fixture().sendTexts(customer, phone, numberedTexts(3));
  if (first === undefined) throw new Error('three messages were sent');
  const isOver = async (id: MessageId) => !['queued', 'sending'].includes((await fixture().message(id)).status);
  for (const id of [first, ...others]) await waitUntil(() => isOver(id), { what: 'all are sent' });
  expect(await fixture().network.texts(phone)).toEqual(numberedTexts(3));
  expect((await fixture().network.inbox(phone)).map(({ copies }) => copies)).toEqual([copies, 0, 0]);
});
