import { type InboundReport, networks } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/driver.js';
import type { DriverHarness } from './harness.js';
import { describeLetters } from './letter-cases.js';
import { withNetworkFixture } from './network-fixture.js';
import { waitUntil } from './wait-until.js';

export function describeReceiving(harness: DriverHarness): void {
  describe('receiving', () => {
    describeReceipts(harness);
    describeInboundMessages(harness);
    describeLetters(harness);
  });
}

function describeReceipts(harness: DriverHarness): void {
  test(
    'a receipt whose handler rejects is reported again after the next connection',
    withNetworkFixture(harness, async (fixture) => {
      const device = await fixture.link();
      const refused: Receipt[] = [];
      const first = await fixture.connectAndWait(device, {
        receipt: (receipt) => {
          refused.push(receipt);
          return Promise.reject(new Error('the database is away'));
        },
      });
      const { networkMessageId, ...message } = fixture.message(fixture.network.freshNumber());
      await first.session.send({ networkMessageId, ...message });
      await waitUntil('a receipt came', () => refused.length > 0);
      await first.session.close();

      const second = await fixture.connectAndWait(device);
      const again = { networkMessageId, status: 'delivered' };
      await waitUntil('it came again', () => second.receipts.some(({ status }) => status === again.status));
      expect(second.receipts).toContainEqual(again);
    }),
  );

  test(
    'a receipt whose handler resolved is not reported again',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session, receipts } = await fixture.online();
      const furthest = networks[fixture.network.name].receipts;
      await session.send(fixture.message(fixture.network.freshNumber()));
      await waitUntil('the furthest receipt came', () => receipts.some(({ status }) => status === furthest));
      await session.close();

      const second = await fixture.connectAndWait(device);
      const marker = fixture.message(fixture.network.freshNumber());
      await second.session.send(marker);
      await waitUntil('a later receipt came', () => second.receipts.length > 0);
      expect(second.receipts.map((receipt) => receipt.networkMessageId)).toContain(marker.networkMessageId);
      expect(new Set(second.receipts.map((receipt) => receipt.networkMessageId)).size).toBe(1);
    }),
  );
}

function describeInboundMessages(harness: DriverHarness): void {
  test(
    'an inbound message arrives once, with the phone number of its sender',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session, inbound } = await fixture.online();
      const writer = fixture.network.freshNumber();
      await fixture.network.write(writer, device.phone, 'Halo');
      await waitUntil('it arrived', () => inbound.length > 0);
      expect(inbound).toMatchObject([{ person: { phone: writer }, content: { text: 'Halo' } }]);
      expect(inbound[0]?.sentAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
      await session.close();

      const second = await fixture.connectAndWait(device);
      await fixture.network.write(writer, device.phone, 'Masih di sana?');
      await waitUntil('the next one arrived', () => second.inbound.length > 0);
      expect(second.inbound).toMatchObject([{ content: { text: 'Masih di sana?' } }]);
    }),
  );

  test(
    'a message to a device that is away arrives when it is back, and again if the handler rejects',
    withNetworkFixture(harness, async (fixture) => {
      const device = await fixture.link();
      await fixture.network.write(fixture.network.freshNumber(), device.phone, 'Halo');
      const refused: InboundReport[] = [];
      const first = fixture.connect(device, {
        inbound: (message) => {
          refused.push(message);
          return Promise.reject(new Error('the database is away'));
        },
      });
      await waitUntil('it arrived', () => refused.length === 1);
      await first.session.close();
      const second = await fixture.connectAndWait(device);
      await waitUntil('it arrived again', () => second.inbound.length === 1);
      expect(second.inbound[0]).toMatchObject({
        networkMessageId: refused[0]?.networkMessageId,
        content: { text: 'Halo' },
      });
    }),
  );

  test(
    'marks of what was read reach the person who wrote it, also twice, and are refused when the session is not connected',
    withNetworkFixture(harness, async (fixture) => {
      const { device, session, inbound } = await fixture.online();
      const [writer, other] = [fixture.network.freshNumber(), fixture.network.freshNumber()];
      for (const phone of [writer, writer, other]) await fixture.network.write(phone, device.phone, 'Halo');
      await waitUntil('they arrived', () => inbound.length === 3);
      const report = inbound.find(({ person }) => person?.phone === writer);
      if (report === undefined || session.markRead === undefined) throw new Error('nothing can be marked');
      const written = inbound.filter(({ person }) => person?.phone === writer);
      const ids = written.map(({ networkMessageId }) => networkMessageId);
      const marks = ids.map((networkMessageId) => ({ networkMessageId, userId: report.person?.userId ?? '' }));
      await session.markRead(report.chat, marks);
      await session.markRead(report.chat, []);
      await waitUntil('they are read', async () => (await fixture.network.readMarks(writer)).length === 2);
      expect((await fixture.network.readMarks(writer)).toSorted()).toEqual(ids.toSorted());
      await session.markRead(report.chat, marks);
      await session.close();
      await expect(session.markRead(report.chat, marks)).rejects.toThrow('not connected');
      expect(await fixture.network.readMarks(other)).toEqual([]);
    }),
  );
}
