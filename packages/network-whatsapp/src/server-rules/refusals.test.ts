/** The code 463 has three meanings: a restricted account, a wrong address, or a recipient who requires a token. */
import { waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { acknowledgedAll, acquainted, addressesOf, triesOf } from '../../test/server-rules-fixture.js';

const WEEK_MS = 7 * 86_400_000;

const weeksAgo = (weeks: number): Date => new Date(Date.now() - weeks * WEEK_MS);

/** The person vouches for us, and the device has received the token. */
async function vouched(
  fixture: RelayFixture,
  person: Awaited<ReturnType<RelayFixture['person']>>,
  at?: Date,
): Promise<void> {
  person.phone.vouchFor(SENDER, at);
  await acknowledgedAll(fixture);
}

test(
  'with an active timelock, a refusal restricts new contacts until its end, and no other address is tried',
  withRelayFixture(async (fixture) => {
    const { session, limits } = await fixture.online();
    await waitUntil('the limits are told', () => limits.length > 0);
    const endsAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000);
    fixture.phone.setReachoutTimelock({ endsAt, enforcementType: 'DEFAULT' });
    await waitUntil('the restriction is told', () => limits.length > 1);
    const message = fixture.message((await fixture.person()).number);
    const outcome = await session.send(message);
    expect(outcome).toMatchObject({ kind: 'not-sent', permanent: false, reason: 'new_contacts_restricted' });
    const retryAfterMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : 0;
    expect(Math.abs(Date.now() + retryAfterMs - endsAt.getTime())).toBeLessThan(5_000);
    expect(triesOf(fixture, message.networkMessageId)).toHaveLength(1);
  }),
);

test(
  'with an active timelock that nobody announced, no other address is tried either',
  withRelayFixture(async (fixture) => {
    const { session, limits } = await fixture.online();
    await waitUntil('the limits are told', () => limits.length > 0);
    const endsAt = new Date(Date.now() + 3_600_000);
    fixture.phone.setReachoutTimelock({ endsAt, enforcementType: 'DEFAULT' }, { told: false });
    const message = fixture.message((await fixture.person()).number);
    expect(await session.send(message)).toMatchObject({ permanent: false, reason: 'new_contacts_restricted' });
    expect(triesOf(fixture, message.networkMessageId)).toMatchObject([{ rule: 'timelock' }]);
  }),
);

test(
  'after 463, if nobody says whether the account is restricted, no other address is tried',
  withRelayFixture(async (fixture) => {
    fixture.relay.faults.queries('graph-query', { kind: 'refuse', error: 500, text: 'internal' }, { times: 100 });
    const { session } = await fixture.online();
    const message = fixture.message((await fixture.person()).number);
    fixture.relay.faults.messages({ kind: 'refuse', error: 463 }, { from: SENDER, times: 2 });
    expect(await session.send(message)).toMatchObject({ permanent: false, reason: 'temporarily_unavailable' });
    expect(triesOf(fixture, message.networkMessageId)).toHaveLength(1);
  }),
);

test(
  '463 by LID and by number, without a restriction, means that the recipient requires a token',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    person.phone.requireToken(true);
    const message = fixture.message(person.number);
    expect(await session.send(message)).toMatchObject({ kind: 'not-sent', reason: 'recipient_token_required' });
    expect(addressesOf(fixture, message.networkMessageId)).toEqual([person.phone.lid, person.phone.jid]);
  }),
);

test(
  '400 by LID and by number means that the addresses are refused; each is tried once',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    fixture.relay.faults.messages({ kind: 'refuse', error: 400 }, { from: SENDER, times: 2 });
    const message = fixture.message(person.number);
    expect(await session.send(message)).toMatchObject({ kind: 'not-sent', reason: 'recipient_address_refused' });
    expect(addressesOf(fixture, message.networkMessageId)).toEqual([person.phone.lid, person.phone.jid]);
  }),
);

test(
  'a refusal for another reason changes no address',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    fixture.relay.faults.messages({ kind: 'refuse', error: 429 }, { from: SENDER });
    const message = fixture.message(person.number);
    expect(await session.send(message)).toMatchObject({ reason: 'rate_limited_by_network' });
    expect(addressesOf(fixture, message.networkMessageId)).toEqual([person.phone.lid]);
  }),
);

test(
  'a recipient who requires a token and gave us one gets messages with it',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    person.phone.requireToken(true);
    await vouched(fixture, person);
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(triesOf(fixture, message.networkMessageId)).toMatchObject([{ token: 'tctoken' }]);
  }),
);

test(
  'a token is used as long as the server accepts it: half a year, not four weeks',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    person.phone.requireToken(true);
    await vouched(fixture, person, weeksAgo(20));
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(triesOf(fixture, message.networkMessageId)).toMatchObject([{ token: 'tctoken' }]);
  }),
);

test(
  'a recipient who wrote to us is reached without a token',
  withRelayFixture(async (fixture) => {
    const recorded = await fixture.online();
    const person = await fixture.person();
    await acquainted(fixture, recorded, person);
    person.phone.requireToken(true);
    expect(await recorded.session.send(fixture.message(person.number))).toEqual({ kind: 'sent' });
  }),
);
