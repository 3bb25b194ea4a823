/** A claim that Postgres carries out after its worker has given it up: a network that was away, a server that stood still. */
import type { createClaimer } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { newPhoneNumber } from '../../test/network.js';

const fixture = useWorkerFixture();

type Claimer = ReturnType<typeof createClaimer>;

/** The first claim is given up, and carried out beside the second message's claim: before it, or while the first is on its way. */
function carriedOutLate(when: 'before the next claim' | 'behind the next claim'): (claimer: Claimer) => Claimer {
  const given: Parameters<Claimer['submit']>[0][] = [];
  let claims = 0;
  return (claimer) => ({
    ...claimer,
    async submit(request) {
      if (++claims === 1) {
        given.push(request);
        throw new Error('the connection broke');
      }
      const late = given.splice(0);
      if (when === 'before the next claim') for (const first of late) await claimer.submit(first);
      const outcome = await claimer.submit(request);
      if (when === 'behind the next claim') for (const first of late) await claimer.submit(first);
      return outcome;
    },
  });
}

test.each(['before the next claim', 'behind the next claim'] as const)(
  'what a claim took that is carried out late, %s, is overtaken by nothing',
  async (when) => {
    const customer = await fixture().sendingDevice(fixture().openSupervisor({ wrapClaimer: carriedOutLate(when) }));
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
