/** What the phone tells a new device lets it write to people who ask strangers for a token. */
import type { SendOutcome } from '@kurir/network';
import { expect, test } from 'vitest';
import { ACCOUNTS, onAccount, settled, triesOf } from '../testing/server-rules.js';
import { SENDER, type TestBed } from '../testing/test-bed.js';

/** The phone tells its history, and the device has taken it. */
async function told(bed: TestBed): Promise<void> {
  const [device] = bed.phone.devices();
  await bed.phone.shareHistory(device?.id ?? 0, { inline: true });
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
