/**
 * The history from the phone gives the device tokens, the salt for recipients who require a token, and the migration of
 * the account.
 */
import type { SendOutcome } from '@kurir/network';
import { expect, test } from 'vitest';
import { type Recorded, type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { ACCOUNTS, acknowledgedAll, addressesOf, onAccount, triesOf } from '../../test/server-rules-fixture.js';

const deviceOf = ({ phone }: RelayFixture): number => phone.devices()[0]?.id ?? 0;

/** The phone shares its history, and the device has acknowledged it. */
async function told(fixture: RelayFixture): Promise<void> {
  await fixture.phone.shareHistory(deviceOf(fixture), { inline: true });
  await acknowledgedAll(fixture);
}

/** A device acknowledges a history before it has read it, so the network may refuse the first tries. */
async function reaches(send: () => Promise<SendOutcome>): Promise<void> {
  await expect.poll(send, { timeout: 5_000 }).toEqual({ kind: 'sent' });
}

test.each(ACCOUNTS)(
  'tokens that people issued before the device was linked are used (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    person.phone.requireToken(true);
    person.phone.vouchFor(SENDER);
    const { session } = await fixture.online();
    await told(fixture);
    const message = fixture.message(person.number);
    await reaches(() => session.send(message));
    expect(triesOf(fixture, message.networkMessageId).at(-1)).toMatchObject({ token: 'tctoken' });
  }),
);

test.each(ACCOUNTS)(
  'the first message to a person who issued no token carries one made from the account’s salt (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    person.phone.requireToken(true);
    const { session } = await fixture.online();
    await told(fixture);
    const message = fixture.message(person.number);
    await reaches(() => session.send(message));
    expect(triesOf(fixture, message.networkMessageId).at(-1)).toMatchObject({ token: 'cstoken' });
  }),
);

test.each(ACCOUNTS)(
  'the salt is still there in a later session (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    person.phone.requireToken(true);
    const first = await fixture.online();
    await told(fixture);
    await first.session.close();
    const { session } = await fixture.connected();
    const message = fixture.message(person.number);
    await reaches(() => session.send(message));
    expect(triesOf(fixture, message.networkMessageId).at(-1)).toMatchObject({ token: 'cstoken' });
  }),
);

test.each(ACCOUNTS)(
  'the salt may arrive with the app state instead (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    person.phone.requireToken(true);
    const { session } = await fixture.online();
    await fixture.phone.shareAppState(deviceOf(fixture));
    const message = fixture.message(person.number);
    await reaches(() => session.send(message));
    expect(triesOf(fixture, message.networkMessageId).at(-1)).toMatchObject({ token: 'cstoken' });
  }),
);

test(
  'an account that is migrated while the device is linked writes to LIDs from then on, in later sessions too',
  withRelayFixture(async (fixture) => {
    fixture.phone.setMigrated(false);
    const first = await fixture.online();
    const person = await fixture.person();
    expect(await first.session.send(fixture.message(person.number))).toEqual({ kind: 'sent' });
    await fixture.phone.migrate();
    const firstAddress = async ({ session }: Pick<Recorded, 'session'>): Promise<string | undefined> => {
      const message = fixture.message(person.number);
      await session.send(message);
      return addressesOf(fixture, message.networkMessageId)[0];
    };
    await expect.poll(() => firstAddress(first), { timeout: 5_000 }).toBe(person.phone.lid);
    await first.session.close();
    expect(await firstAddress(await fixture.connected())).toBe(person.phone.lid);
  }),
);
