import { describe, expect, test } from 'vitest';
import { networks } from '@kurir/contracts';
import type { InboundMessage, Receipt } from '../driver.js';
import type { DriverHarness } from './harness.js';
import { onTestBed } from './test-bed.js';
import { waitUntil } from './wait-until.js';

export function describeReceiving(harness: DriverHarness): void {
  describe('receiving', () => {
    test(
      'a receipt whose handler rejects is reported again after the next connection',
      onTestBed(harness, async (bed) => {
        const device = await bed.link();
        const refused: Receipt[] = [];
        const first = await bed.connectAndWait(device, {
          receipt: (receipt) => {
            refused.push(receipt);
            return Promise.reject(new Error('the database is away'));
          },
        });
        const { networkMessageId, ...message } = bed.message(bed.network.freshNumber());
        await first.session.send({ networkMessageId, ...message });
        await waitUntil('a receipt came', () => refused.length > 0);
        await first.session.close();

        const second = await bed.connectAndWait(device);
        const again = { networkMessageId, status: 'delivered' };
        await waitUntil('it came again', () => second.receipts.some(({ status }) => status === again.status));
        expect(second.receipts).toContainEqual(again);
      }),
    );

    test(
      'a receipt whose handler resolved is not reported again',
      onTestBed(harness, async (bed) => {
        const { device, session, receipts } = await bed.online();
        const furthest = networks[bed.network.name].receipts;
        await session.send(bed.message(bed.network.freshNumber()));
        await waitUntil('the furthest receipt came', () => receipts.some(({ status }) => status === furthest));
        await session.close();

        const second = await bed.connectAndWait(device);
        const marker = bed.message(bed.network.freshNumber());
        await second.session.send(marker);
        await waitUntil('a later receipt came', () => second.receipts.length > 0);
        expect(second.receipts.map((receipt) => receipt.networkMessageId)).toContain(marker.networkMessageId);
        expect(new Set(second.receipts.map((receipt) => receipt.networkMessageId)).size).toBe(1);
      }),
    );

    test(
      'an inbound message arrives once, with the phone number of its sender',
      onTestBed(harness, async (bed) => {
        const { device, session, inbound } = await bed.online();
        const writer = bed.network.freshNumber();
        await bed.network.write(writer, device.phone, 'Halo');
        await waitUntil('it arrived', () => inbound.length > 0);
        expect(inbound).toMatchObject([{ from: writer, text: 'Halo' }]);
        expect(inbound[0]?.receivedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
        await session.close();

        const second = await bed.connectAndWait(device);
        await bed.network.write(writer, device.phone, 'Masih di sana?');
        await waitUntil('the next one arrived', () => second.inbound.length > 0);
        expect(second.inbound.map(({ text }) => text)).toEqual(['Masih di sana?']);
      }),
    );

    test(
      'what was written while the device was away arrives when it is back, and again if the handler rejects',
      onTestBed(harness, async (bed) => {
        const device = await bed.link();
        await bed.network.write(bed.network.freshNumber(), device.phone, 'Halo');
        const refused: InboundMessage[] = [];
        const first = bed.connect(device, {
          inbound: (message) => {
            refused.push(message);
            return Promise.reject(new Error('the database is away'));
          },
        });
        await waitUntil('it arrived', () => refused.length === 1);
        await first.session.close();
        const second = await bed.connectAndWait(device);
        await waitUntil('it arrived again', () => second.inbound.length === 1);
        expect(second.inbound[0]).toMatchObject({ networkMessageId: refused[0]?.networkMessageId, text: 'Halo' });
      }),
    );
  });
}
