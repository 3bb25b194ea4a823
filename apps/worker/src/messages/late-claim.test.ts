/** Postgres runs a claim after the worker's timeout, for example because the server stood still. */
import type { createClaimer } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { newPhoneNumber } from '../../test/network.js';

const fixture = useWorkerFixture();

type Claimer = ReturnType<typeof createClaimer>;

/** The first claim times out for the worker. Postgres runs it shortly before or after the second message's claim. */
function claimLate(when: 'before the next claim' | 'after the next claim'): (claimer: Claimer) => Claimer {
  const waiting: Parameters<Claimer['submit']>[0][] = [];
  let claims = 0;
  return (claimer) => ({
    ...claimer,
    async submit(request) {
      if (++claims === 1) {
        waiting.push(request);
        throw new Error('the connection broke');
      }
      const late = waiting.splice(0);
      if (when === 'before the next claim') for (const first of late) await claimer.submit(first);
      const outcome = await claimer.submit(request);
      if (when === 'after the next claim') for (const first of late) await claimer.submit(first);
      return outcome;
    },
  });
}

test.each(['before the next claim', 'after the next claim'] as const)(
  'no message overtakes one whose claim runs late, %s',
  async (when) => {
    const customer = await fixture().sendingDevice(fixture().openSupervisor({ wrapClaimer: claimLate(when) }));
    const phone = newPhoneNumber();
    const texts = ['1', '2', '3', '4'];
    await fixture().send(
      customer,
      texts.map((text) => ({ recipient: phone, text })),
    );
    const arrived = async () => (await fixture().network.inbox(phone)).map(({ text }) => text);
    await waitUntil(async () => (await arrived()).length >= 3, { what: 'most have arrived' });
    expect((await arrived()).slice(0, 3)).toEqual(['1', '2', '3']);
  },
);
