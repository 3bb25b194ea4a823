/** What the phone tells its device: tokens and the salt for strangers who ask for one, and that the account is migrated. */
import type { SendOutcome } from '@kurir/network';
import { expect, test } from 'vitest';
import { ACCOUNTS, addressesOf, onAccount, settled, triesOf } from '../testing/server-rules.js';
import { onTestBed, type Recorded, SENDER, type TestBed } from '../testing/test-bed.js';

const deviceOf = ({ phone }: TestBed): number => phone.devices()[0]?.id ?? 0;

/** The phone tells its history, and the device has taken it. */
async function told(bed: TestBed): Promise<void> {
  await bed.phone.shareHistory(deviceOf(bed), { inline: true });
  await settled(bed);
}

/** A device acknowledges a history before it has read it: the first tries may still be refused. */
async function reaches(send: () => Promise<SendOutcome>): Promise<void> {
  await expect.poll(send, { timeout: 5_000 }).toEqual({ kind: 'sent' });
}

test.each(ACCOUNTS)(
  'tokens that people issued before the device was linked are used (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    person.phone.requireToken(true);
    person.phone.vouchFor(SENDER);
    const { session } = await bed.online();
    await told(bed);
    const message = bed.message(person.number);
    await reaches(() => session.send(message));
    expect(triesOf(bed, message.networkMessageId).at(-1)).toMatchObject({ token: 'tctoken' });
  }),
);

test.each(ACCOUNTS)(
  'the first message to somebody who issued none is vouched for with the account’s salt (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    person.phone.requireToken(true);
    const { session } = await bed.online();
    await told(bed);
    const message = bed.message(person.number);
    await reaches(() => session.send(message));
    expect(triesOf(bed, message.networkMessageId).at(-1)).toMatchObject({ token: 'cstoken' });
  }),
);

test.each(ACCOUNTS)(
  'the salt is still there in a later session (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    person.phone.requireToken(true);
    const first = await bed.online();
    await told(bed);
    await first.session.close();
    const { session } = await bed.connected();
    const message = bed.message(person.number);
    await reaches(() => session.send(message));
    expect(triesOf(bed, message.networkMessageId).at(-1)).toMatchObject({ token: 'cstoken' });
  }),
);

test.each(ACCOUNTS)(
  'the salt may come with the app state instead (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    person.phone.requireToken(true);
    const { session } = await bed.online();
    await bed.phone.shareAppState(deviceOf(bed));
    const message = bed.message(person.number);
    await reaches(() => session.send(message));
    expect(triesOf(bed, message.networkMessageId).at(-1)).toMatchObject({ token: 'cstoken' });
  }),
);

test(
  'an account that is migrated while the device is linked writes to LIDs from then on, in later sessions too',
  onTestBed(async (bed) => {
    bed.phone.setMigrated(false);
    const first = await bed.online();
    const person = await bed.person();
    expect(await first.session.send(bed.message(person.number))).toEqual({ kind: 'sent' });
    await bed.phone.migrate();
    const firstAddress = async ({ session }: Pick<Recorded, 'session'>): Promise<string | undefined> => {
      const message = bed.message(person.number);
      await session.send(message);
      return addressesOf(bed, message.networkMessageId)[0];
    };
    await expect.poll(() => firstAddress(first), { timeout: 5_000 }).toBe(person.phone.lid);
    await first.session.close();
    expect(await firstAddress(await bed.connected())).toBe(person.phone.lid);
  }),
);
