/** Postgres commits a claim, but the connection breaks before the worker receives it. Or Postgres refuses an outcome. */
import type { MessageId } from '@kurir/contracts';
import type { createClaimer, OutcomeWriter } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { newPhoneNumber, numberedTexts } from '../../test/network.js';

const fixture = useWorkerFixture();

type Claimer = ReturnType<typeof createClaimer>;

/** Loses so many successful claims after their commit. */
function losingClaims(claims: number): (claimer: Claimer) => Claimer {
  let left = claims;
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

test('a message goes out as usual after the worker lost the answers of four claims, which cost no try', async () => {
  const customer = await fixture().sendingDevice(fixture().openSupervisor({ wrapClaimer: losingClaims(4) }));
  const phone = newPhoneNumber();
  const id = await fixture().sendOne(customer, { recipient: phone, text: 'Kode 1234' });
  await fixture().untilStatus(id, 'read');
  expect(await fixture().network.inbox(phone)).toMatchObject([{ text: 'Kode 1234', copies: 0 }]);
  expect(await fixture().message(id)).toMatchObject({ attempts: 1, unanswered: 0 });
});

/** Refuses to store the first acknowledgement so many times. */
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
  ['once is stored before the next claim', 1, 0],
  ['again and again is dropped after three refusals, and its message goes out again under its id', 3, 1],
])('an outcome that Postgres refuses %s; all messages arrive once, in order', async (_what, times, copies) => {
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
