/** A negative acknowledgement holds up all later stanzas at the next login. The device must send none. */
import { waitUntil, writtenText } from '@kurir/network/conformance';
import type { Crowd } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import { type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { acknowledgedAll, answersTo } from '../../test/server-rules-fixture.js';

const CROWDS: readonly Crowd[] = ['group', 'status', 'newsletter'];

const answered = (fixture: RelayFixture, id: string) =>
  waitUntil('it was answered', () => answersTo(fixture, id).length > 0);

test.each(CROWDS)('a message of a %s is acknowledged plainly', async (crowd) =>
  withRelayFixture(async (fixture) => {
    const { inbound } = await fixture.online();
    const id = fixture.phone.injectCrowd(crowd);
    await answered(fixture, id);
    expect(answersTo(fixture, id)).toEqual([null]);
    await acknowledgedAll(fixture);
    expect(inbound).toEqual([]);
  })(),
);

test.each(CROWDS)('a message that waited for the next login arrives after a message of a %s', async (crowd) =>
  withRelayFixture(async (fixture) => {
    const first = await fixture.online();
    const person = await fixture.person();
    await answered(fixture, fixture.phone.injectCrowd(crowd));
    await first.session.close();
    await person.send(fixture.phone.number, 'sent while the device was away');
    const second = await fixture.connected();
    await waitUntil('the message came', () => second.inbound.length === 1);
    await acknowledgedAll(fixture);
  })(),
);

test(
  'a direct message that cannot be decrypted is first asked for again, then acknowledged plainly',
  withRelayFixture(async (fixture) => {
    await fixture.online();
    const person = await fixture.person();
    const id = fixture.phone.injectUndecryptable(person.number);
    await answered(fixture, id);
    const answers = fixture.relay.journal.entries({ from: SENDER }).flatMap((entry) => {
      if (entry.kind === 'receipt' && entry.ids.includes(id)) return [entry.type];
      return entry.kind === 'acknowledgement' && entry.id === id ? [entry.error ?? 'plain'] : [];
    });
    expect(answers).toEqual(['retry', 'plain']);
    await acknowledgedAll(fixture);
  }),
);

test(
  'a message that waited for the next login arrives after a direct message that could not be decrypted',
  withRelayFixture(async (fixture) => {
    const first = await fixture.online();
    const person = await fixture.person();
    const id = fixture.phone.injectUndecryptable(person.number);
    await answered(fixture, id);
    await first.session.close();
    await person.send(fixture.phone.number, 'sent while the device was away');
    const second = await fixture.connected();
    await waitUntil('the message came', () => second.inbound.length === 1);
    await acknowledgedAll(fixture);
  }),
);

test(
  'messages of all kinds that wait for the login hold up nothing',
  withRelayFixture(async (fixture) => {
    await fixture.link();
    const person = await fixture.person();
    for (const crowd of CROWDS) fixture.phone.injectCrowd(crowd);
    fixture.phone.injectUndecryptable(person.number);
    await person.send(fixture.phone.number, 'the last');
    const { inbound } = await fixture.connected();
    await waitUntil('the message came', () => inbound.some((report) => writtenText(report) === 'the last'));
    expect(inbound.map(({ kind, offline }) => [kind, offline])).toEqual([
      ['undecryptable', true],
      ['message', true],
    ]);
    await acknowledgedAll(fixture);
    const errors = fixture.relay.journal.of('acknowledgement', { from: SENDER }).map(({ error }) => error);
    expect(errors.filter((error) => error !== null)).toEqual([]);
  }),
);

test(
  'a stanza that arrives twice is reported under one id, and answered without an error',
  withRelayFixture(async (fixture) => {
    const { inbound } = await fixture.online();
    const person = await fixture.person();
    fixture.relay.faults.messages({ kind: 'deliver-twice' }, { from: person.number });
    const id = await person.send(fixture.phone.number, 'twice');
    await waitUntil('it is reported', () => inbound.length > 0);
    await acknowledgedAll(fixture);
    expect(new Set(inbound.map(({ networkMessageId }) => networkMessageId))).toEqual(new Set([id]));
    expect(answersTo(fixture, id).filter((error) => error !== null)).toEqual([]);
    await person.send(fixture.phone.number, 'after');
    await waitUntil('the next is reported', () => writtenText(inbound.at(-1)) === 'after');
  }),
);
