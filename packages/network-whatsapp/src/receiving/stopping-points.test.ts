/**
 * The process dies between reading a message and acknowledging it. A message that the worker has not committed comes
 * again at the next login. Death means that nothing more is stored, and nothing more is written to the network. With
 * `KURIR_TEST_DEATHS=50`, it dies fifty times at each point.
 */
import type { CredentialChange, InboundReport } from '@kurir/network';
import { waitUntil, writtenText } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { acknowledgedAll, answersTo } from '../../test/server-rules-fixture.js';

const ROUNDS = Number(process.env['KURIR_TEST_DEATHS'] ?? 3);
const GROUP = '120363000000000001';

/** `handler`: the worker has committed nothing. A number: it has, and so many commits of keys followed. */
type StoppingPoint = 'handler' | 0 | 1 | 2 | 3 | 4 | 5;

/** Runs a session until it dies at this point of the first message. Returns what the worker has committed. */
async function liveUntil(fixture: RelayFixture, point: StoppingPoint): Promise<readonly string[]> {
  const committed: string[] = [];
  let isDead = false;
  let keyCommits = 0;
  const die = (): void => {
    isDead = true;
    fixture.phone.cut(fixture.phone.devices()[0]?.id ?? 0, 'reset');
  };
  const { session } = fixture.connect({
    reportsGroups: () => true,
    credentials: {
      read: (kind, ids) => fixture.credentials.read(kind, ids),
      write: async (changes) => {
        if (isDead) throw new Error('the process is dead');
        await fixture.credentials.write(changes);
        if (committed.length === 0 || !changes.some(isOfSignal)) return;
        keyCommits += 1;
        if (keyCommits === point) die();
      },
    },
    events: {
      inbound: async (report: InboundReport) => {
        if (point !== 'handler') committed.push(report.networkMessageId);
        if (point === 'handler' || point === 0) die();
        if (point === 'handler') await new Promise(() => undefined);
      },
    },
  });
  await waitUntil('the process is dead', () => isDead);
  await session.close();
  return committed;
}

const isOfSignal = ({ kind }: CredentialChange): boolean => kind === 'session' || kind === 'sender-key';

test.each<[string, StoppingPoint, string | undefined]>([
  ['before the commit', 'handler', undefined],
  ['between the commit and the keys', 0, undefined],
  ['between the keys and the acknowledgement', 1, undefined],
  ['before the commit, in a group', 'handler', GROUP],
  ['between the commit and the keys, in a group', 0, GROUP],
  ['after the first commit of keys, in a group', 1, GROUP],
  ['after the second commit of keys, in a group', 2, GROUP],
  ['after the third commit of keys, in a group', 3, GROUP],
  ['after the fourth commit of keys, in a group', 4, GROUP],
  ['after the fifth commit of keys, in a group', 5, GROUP],
])('no message is lost when the process dies %s', (_, point, group) =>
  withRelayFixture(async (fixture) => {
    await fixture.link();
    for (let round = 0; round < ROUNDS; round += 1) {
      // A new writer's first message brings the most keys.
      const writer = await fixture.relay.createPhone(`4915200001${String(round).padStart(2, '0')}`);
      const place = group === undefined ? {} : { group };
      const first = await writer.write(SENDER, { kind: 'text', text: 'first' }, place);
      const committed = await liveUntil(fixture, point);
      const { session, inbound } = await fixture.connected({ reportsGroups: () => true });
      const second = await writer.write(SENDER, { kind: 'text', text: 'second' }, place);
      await waitUntil('the second came', () => inbound.some((report) => writtenText(report) === 'second'));
      await acknowledgedAll(fixture);
      const told = inbound.filter(({ kind }) => kind === 'message').map(({ networkMessageId }) => networkMessageId);
      expect(new Set([...committed, ...told])).toEqual(new Set([first, second]));
      expect(inbound.filter(({ kind }) => kind !== 'message')).toEqual([]);
      expect(answersTo(fixture, first).filter((error) => error !== null)).toEqual([]);
      await session.close();
    }
  })(),
);

test(
  'a message that cannot be read is neither asked for nor acknowledged before the worker has stored that',
  withRelayFixture(async (fixture) => {
    const refused: InboundReport[] = [];
    const first = await fixture.online({
      events: {
        inbound: (report) => {
          refused.push(report);
          return Promise.reject(new Error('the database is away'));
        },
      },
    });
    const writer = await fixture.relay.createPhone('491520000300');
    const id = await writer.write(SENDER, { kind: 'text', text: 'Halo' }, { unreadable: true });
    const last = await writer.write(SENDER, { kind: 'text', text: 'after' });
    await waitUntil('the last came', () => refused.some(({ networkMessageId }) => networkMessageId === last));
    expect(fixture.relay.journal.counters({ from: SENDER }).retryReceipts).toBe(0);
    expect(answersTo(fixture, id)).toEqual([]);
    await first.session.close();
    const { inbound } = await fixture.connected();
    await waitUntil('it was read', () => inbound.filter(({ kind }) => kind === 'message').length === 2);
    await acknowledgedAll(fixture);
    const told = [...refused, ...inbound].map(({ kind, networkMessageId }) => [kind, networkMessageId === id]);
    expect(told).toEqual([
      ['undecryptable', true],
      ['message', false],
      ['undecryptable', true],
      ['message', false],
      ['message', true],
    ]);
  }),
);

test(
  'a flood is reported completely, each writer in order, while some of it waited',
  withRelayFixture(async (fixture) => {
    const each = 60;
    await fixture.link();
    const numbers = Array.from({ length: 8 }, (_, index) => `49152000020${index}`);
    const flood = async (from: number, to: number): Promise<void> => {
      const writers = await Promise.all(numbers.map((number) => fixture.relay.createPhone(number)));
      for (let index = from; index < to; index += 1)
        await Promise.all(writers.map((writer) => writer.write(SENDER, { kind: 'text', text: String(index) })));
    };
    await flood(0, each / 2);
    const { inbound, ends } = await fixture.connected();
    await flood(each / 2, each);
    await waitUntil('all came', () => inbound.length >= numbers.length * each);
    await acknowledgedAll(fixture);
    const inOrder = Array.from({ length: each }, (_, index) => String(index));
    for (const number of numbers) {
      const theirs = inbound.filter((report) => report.person?.phone === number);
      expect(theirs.map(writtenText)).toEqual(inOrder);
    }
    expect({ count: inbound.length, ends }).toEqual({ count: numbers.length * each, ends: [] });
  }),
);
