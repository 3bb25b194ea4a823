/** A claim that Postgres commits and nobody hears of, because the connection broke between the two. */
import type { createClaimer } from '@kurir/database';
import { expect, test } from 'vitest';
import { useBench } from './testing/bench.js';
import { newPhoneNumber } from './testing/network.js';

const bench = useBench();

type Claimer = ReturnType<typeof createClaimer>;

/** The first answers that say that something was claimed get lost. */
function deafFor(answers: number): (claimer: Claimer) => Claimer {
  let left = answers;
  return (claimer) => ({
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
  expect(await bench().message(id)).toMatchObject({ attempts: 5, unanswered: 0 });
});
