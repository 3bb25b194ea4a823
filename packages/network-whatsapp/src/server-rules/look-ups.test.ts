/** The server's answers about numbers, devices and keys, and its silence. */
import { expect, test } from 'vitest';
import { type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { ACCOUNTS, acknowledgedAll, onAccount, triesOf, withSecondReader } from '../../test/server-rules-fixture.js';

const BACKOFF_SECONDS = 90;

/** Sends a message, and expects a query about the number, the devices or the keys. */
async function asksAgain(fixture: RelayFixture, send: () => Promise<unknown>): Promise<void> {
  const since = fixture.relay.journal.position;
  expect(await send()).toEqual({ kind: 'sent' });
  expect(fixture.relay.journal.counters({ from: SENDER, since }).usyncQueries).toBeGreaterThan(0);
}

test.each(['contact', 'devices'] as const)(
  'a throttled query about %s makes the message wait as long as the server says',
  async (protocol) =>
    withRelayFixture(async (fixture) => {
      const { session } = await fixture.online();
      const message = fixture.message((await fixture.person()).number);
      fixture.relay.faults.queries(
        'usync',
        { kind: 'protocol-error', protocol, error: 429, text: 'rate-overlimit', backoffSeconds: BACKOFF_SECONDS },
        { from: SENDER, times: 3 },
      );
      const outcome = await session.send(message);
      expect(outcome).toMatchObject({ kind: 'not-sent', permanent: false, reason: 'rate_limited_by_network' });
      expect('retryAfterMs' in outcome ? outcome.retryAfterMs : 0).toBeGreaterThanOrEqual(BACKOFF_SECONDS * 1_000);
      fixture.relay.faults.clear();
      expect(triesOf(fixture, message.networkMessageId)).toEqual([]);
    })(),
);

test.each(['contact', 'devices'] as const)(
  'a query about %s that fails for this user is a temporary refusal',
  async (protocol) =>
    withRelayFixture(async (fixture) => {
      const { session } = await fixture.online();
      const message = fixture.message((await fixture.person()).number);
      const fault = { kind: 'user-error', protocol, error: 500, text: 'internal-server-error' } as const;
      fixture.relay.faults.queries('usync', fault, { from: SENDER, times: 3 });
      const outcome = await session.send(message);
      expect(outcome).toMatchObject({ kind: 'not-sent', permanent: false });
      expect(outcome).not.toMatchObject({ reason: 'recipient_not_on_network' });
    })(),
);

test.each([
  ['is not on WhatsApp', '4915299999999'],
  ['is no phone number', '01512345678'],
])('a number that %s, as the server says explicitly, is refused permanently', async (_what, number) =>
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const refused = { kind: 'not-sent', permanent: true, reason: 'recipient_not_on_network' };
    expect(await session.send(fixture.message(number))).toEqual(refused);
  })(),
);

test.each(ACCOUNTS)(
  'a number that the server writes differently is reached (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    person.phone.alsoWritten('49015200000001');
    const message = fixture.message('49015200000001');
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(await person.received(message.networkMessageId)).toMatchObject({ copies: 1 });
  }),
);

test(
  'devices that are known by LID alone are found',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    person.phone.hideDevicesByNumber(true);
    fixture.phone.hideDevicesByNumber(true);
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(await person.received(message.networkMessageId)).toMatchObject({ copies: 1 });
  }),
);

test.each(ACCOUNTS)(
  'a companion whose keys are broken is left out; the phone and the other companion get the text (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    await withSecondReader(fixture, person, async (second) => {
      person.phone.breakKeys(person.deviceId, true);
      const message = fixture.message(person.number);
      expect(await session.send(message)).toEqual({ kind: 'sent' });
      const [tried] = triesOf(fixture, message.networkMessageId);
      const reached = tried?.copies.map(({ device }) => device);
      expect(reached).toEqual(expect.arrayContaining([`${person.number}:0`, `${person.number}:${second.deviceId}`]));
      expect(reached).not.toContain(`${person.number}:${person.deviceId}`);
      expect(await second.received(message.networkMessageId)).toMatchObject({ copies: 1 });
    });
  }),
);

test.each(ACCOUNTS)(
  'the phone is never left out: a recipient whose phone has no keys is tried again later (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    person.phone.breakKeys(0, true);
    const message = fixture.message(person.number);
    expect(await session.send(message)).toMatchObject({ kind: 'not-sent', permanent: false });
    expect(triesOf(fixture, message.networkMessageId)).toEqual([]);
    person.phone.breakKeys(0, false);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
  }),
);

test.each(ACCOUNTS)(
  'an acknowledgement with another hash of devices makes the next message ask for them again (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    person.phone.breakKeys(person.deviceId, true);
    expect(await session.send(fixture.message(person.number))).toEqual({ kind: 'sent' });
    person.phone.breakKeys(person.deviceId, false);
    const message = fixture.message(person.number);
    await asksAgain(fixture, () => session.send(message));
    expect(await person.received(message.networkMessageId)).toMatchObject({ copies: 1 });
  }),
);

test.each(ACCOUNTS)(
  'an acknowledgement with `refresh_lid` makes the next message ask for devices again (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    fixture.relay.faults.messages({ kind: 'refresh-lid' }, { from: SENDER });
    expect(await session.send(fixture.message(person.number))).toEqual({ kind: 'sent' });
    await asksAgain(fixture, () => session.send(fixture.message(person.number)));
  }),
);

test.each(ACCOUNTS)(
  'a companion that is linked later is in the next message (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    expect(await session.send(fixture.message(person.number))).toEqual({ kind: 'sent' });
    await withSecondReader(fixture, person, async (second) => {
      await acknowledgedAll(fixture);
      const message = fixture.message(person.number);
      expect(await session.send(message)).toEqual({ kind: 'sent' });
      expect(await second.received(message.networkMessageId)).toMatchObject({ copies: 1 });
    });
  }),
);
