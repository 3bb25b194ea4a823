/** Inbound messages that are no plain texts, for networks that can play them. */
import type { InboundReport } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import type { ConformanceLetters, DriverHarness } from './harness.js';
import { type NetworkFixture, withNetworkFixture } from './network-fixture.js';
import { waitUntil } from './wait-until.js';

type LetterFixture = { readonly fixture: NetworkFixture; readonly letters: ConformanceLetters };

export function describeLetters(harness: DriverHarness): void {
  describe.skipIf(harness.hasLetters !== true)('messages that are no plain texts', () => {
    describeKinds(harness);
    describeSenders(harness);
    describeRepeats(harness);
  });
}

const withLetters = (harness: DriverHarness, run: (parts: LetterFixture) => Promise<void>): (() => Promise<void>) =>
  withNetworkFixture(harness, async (fixture) => {
    const { letters } = fixture.network;
    if (letters === undefined) throw new Error('the harness promised letters');
    await run({ fixture, letters });
  });

const came = (inbound: readonly InboundReport[], count: number): Promise<void> =>
  waitUntil(`${count} reports came`, () => inbound.length >= count);

function describeKinds(harness: DriverHarness): void {
  test(
    'an image, an answer, an edit, a reaction and a deletion are reported with what they are about',
    withLetters(harness, async ({ fixture, letters }) => {
      const { device, session, inbound } = await fixture.online();
      const writer = fixture.network.freshNumber();
      const ours = fixture.message(writer);
      await session.send(ours);
      const { networkMessageId: of } = ours;
      const image = await letters.write(writer, device.phone, { kind: 'image', caption: 'Ini' });
      await letters.write(writer, device.phone, { kind: 'answer', text: 'Ya', of, quote: 'Selamat pagi' });
      await letters.write(writer, device.phone, { kind: 'edit', of: image, text: 'Itu' });
      await letters.write(writer, device.phone, { kind: 'reaction', of, emoji: '👍' });
      await letters.write(writer, device.phone, { kind: 'reaction', of, emoji: null });
      await letters.write(writer, device.phone, { kind: 'deletion', of: image });
      await came(inbound, 6);
      const their = { networkMessageId: image, writtenByUs: false };
      const our = { networkMessageId: of, writtenByUs: true };
      expect(inbound).toMatchObject([
        { kind: 'message', networkMessageId: image, content: { type: 'image', text: 'Ini' } },
        { kind: 'message', content: { text: 'Ya' }, replyTo: { networkMessageId: of, text: 'Selamat pagi' } },
        { kind: 'edited', target: their, content: { text: 'Itu' } },
        { kind: 'reaction', target: our, emoji: '👍' },
        { kind: 'reaction', target: our, emoji: null },
        { kind: 'deleted', target: their },
      ]);
      expect(new Set(inbound.map(({ networkMessageId }) => networkMessageId)).size).toBe(6);
    }),
  );

  test(
    'a message that cannot be read is reported, and reported under the same id when it can be',
    withLetters(harness, async ({ fixture, letters }) => {
      const { device, inbound } = await fixture.online();
      const writer = fixture.network.freshNumber();
      const id = await letters.write(writer, device.phone, { kind: 'unreadable', text: 'Halo' });
      await waitUntil('it was read', () => inbound.some(({ kind }) => kind === 'message'));
      expect(inbound).toMatchObject([
        { kind: 'undecryptable', networkMessageId: id, person: { phone: writer } },
        { kind: 'message', networkMessageId: id, content: { type: 'text', text: 'Halo' } },
      ]);
    }),
  );
}

function describeSenders(harness: DriverHarness): void {
  test(
    'a person who hides the number has an id, under which an answer arrives',
    withLetters(harness, async ({ fixture, letters }) => {
      const { device, session, inbound } = await fixture.online();
      const writer = fixture.network.freshNumber();
      letters.hideNumber(writer);
      await fixture.network.write(writer, device.phone, 'Halo');
      await came(inbound, 1);
      const { person, chat } = inbound[0] ?? {};
      expect(person?.phone).toBeNull();
      expect(chat).toEqual({ id: person?.userId, type: 'direct' });
      const answer = fixture.message(person?.userId ?? '');
      expect(await session.send(answer)).toEqual({ kind: 'sent' });
      expect(await fixture.idsShown(writer)).toEqual([answer.networkMessageId]);
      await fixture.network.write(writer, device.phone, 'Lagi');
      await came(inbound, 2);
      expect(inbound[1]?.person?.userId).toBe(person?.userId);
    }),
  );

  test(
    "a message of the owner's phone is reported as sent elsewhere, in the chat of its recipient",
    withLetters(harness, async ({ fixture, letters }) => {
      const { device, inbound } = await fixture.online();
      const reader = fixture.network.freshNumber();
      await fixture.network.write(reader, device.phone, 'Halo');
      await came(inbound, 1);
      const id = await letters.writeElsewhere(device.phone, reader, 'Siap');
      await came(inbound, 2);
      expect(inbound[1]).toMatchObject({
        kind: 'sent-elsewhere',
        networkMessageId: id,
        chat: inbound[0]?.chat,
        person: { userId: inbound[0]?.person?.userId, phone: reader },
        content: { type: 'text', text: 'Siap' },
      });
    }),
  );
}

function describeRepeats(harness: DriverHarness): void {
  test(
    'a report whose handler rejects is reported again after the next connection, whatever its kind',
    withLetters(harness, async ({ fixture, letters }) => {
      const device = await fixture.link();
      const writer = fixture.network.freshNumber();
      const of = await letters.write(writer, device.phone, { kind: 'image', caption: 'Ini' });
      await letters.write(writer, device.phone, { kind: 'edit', of, text: 'Itu' });
      await letters.write(writer, device.phone, { kind: 'deletion', of });
      const refused: InboundReport[] = [];
      const first = await fixture.connectAndWait(device, {
        inbound: (report) => {
          refused.push(report);
          return Promise.reject(new Error('the database is away'));
        },
      });
      await came(refused, 3);
      await first.session.close();
      const second = await fixture.connectAndWait(device);
      await came(second.inbound, 3);
      const told = (reports: readonly InboundReport[]) =>
        reports.map(({ kind, networkMessageId, offline }) => ({ kind, networkMessageId, offline }));
      expect(told(second.inbound)).toEqual(told(refused));
      expect(second.inbound).toMatchObject([
        { kind: 'message', offline: true },
        { kind: 'edited', offline: true },
        { kind: 'deleted', offline: true },
      ]);
    }),
  );
}
