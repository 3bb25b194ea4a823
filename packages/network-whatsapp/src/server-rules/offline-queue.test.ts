/** An error for what the device does not want holds up all that comes after it at the next login. Nothing may. */
import { waitUntil } from '@kurir/network/conformance';
import type { Crowd } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import { answersTo, settled } from '../testing/server-rules.js';
import { onTestBed, SENDER, type TestBed } from '../testing/test-bed.js';

const CROWDS: readonly Crowd[] = ['group', 'status', 'newsletter'];

const answered = (bed: TestBed, id: string) => waitUntil('it was answered', () => answersTo(bed, id).length > 0);

test.each(CROWDS)('a message of a %s is acknowledged plainly', async (crowd) =>
  onTestBed(async (bed) => {
    const { inbound } = await bed.online();
    const id = bed.phone.injectCrowd(crowd);
    await answered(bed, id);
    expect(answersTo(bed, id)).toEqual([null]);
    await settled(bed);
    expect(inbound).toEqual([]);
  })(),
);

test.each(CROWDS)('after a message of a %s, what waited for the next login arrives', async (crowd) =>
  onTestBed(async (bed) => {
    const first = await bed.online();
    const person = await bed.person();
    await answered(bed, bed.phone.injectCrowd(crowd));
    await first.session.close();
    await person.send(bed.phone.number, 'sent while the device was away');
    const second = await bed.connected();
    await waitUntil('the message came', () => second.inbound.length === 1);
    await settled(bed);
  })(),
);

test(
  'a direct message that cannot be opened is asked for again first, and then acknowledged plainly',
  onTestBed(async (bed) => {
    await bed.online();
    const person = await bed.person();
    const id = bed.phone.injectUndecryptable(person.number);
    await answered(bed, id);
    const answers = bed.relay.journal.entries({ from: SENDER }).flatMap((entry) => {
      if (entry.kind === 'receipt' && entry.ids.includes(id)) return [entry.type];
      return entry.kind === 'acknowledgement' && entry.id === id ? [entry.error ?? 'plain'] : [];
    });
    expect(answers).toEqual(['retry', 'plain']);
    await settled(bed);
  }),
);

test(
  'after a direct message that could not be opened, what waited for the next login arrives',
  onTestBed(async (bed) => {
    const first = await bed.online();
    const person = await bed.person();
    const id = bed.phone.injectUndecryptable(person.number);
    await answered(bed, id);
    await first.session.close();
    await person.send(bed.phone.number, 'sent while the device was away');
    const second = await bed.connected();
    await waitUntil('the message came', () => second.inbound.length === 1);
    await settled(bed);
  }),
);

test(
  'all kinds at once, waiting for the login, hold nothing up',
  onTestBed(async (bed) => {
    await bed.link();
    const person = await bed.person();
    for (const crowd of CROWDS) bed.phone.injectCrowd(crowd);
    bed.phone.injectUndecryptable(person.number);
    await person.send(bed.phone.number, 'the last');
    const { inbound } = await bed.connected();
    await waitUntil('the message came', () => inbound.length === 1);
    await settled(bed);
    const errors = bed.relay.journal.of('acknowledgement', { from: SENDER }).map(({ error }) => error);
    expect(errors.filter((error) => error !== null)).toEqual([]);
  }),
);

test(
  'a stanza that comes twice is reported under one id, and answered without an error',
  onTestBed(async (bed) => {
    const { inbound } = await bed.online();
    const person = await bed.person();
    bed.relay.faults.messages({ kind: 'deliver-twice' }, { from: person.number });
    const id = await person.send(bed.phone.number, 'twice');
    await waitUntil('it is reported', () => inbound.length > 0);
    await settled(bed);
    expect(new Set(inbound.map(({ networkMessageId }) => networkMessageId))).toEqual(new Set([id]));
    expect(answersTo(bed, id).filter((error) => error !== null)).toEqual([]);
    await person.send(bed.phone.number, 'after');
    await waitUntil('the next is reported', () => inbound.at(-1)?.text === 'after');
  }),
);
