import type { InboundReport } from '@kurir/network';
import { waitUntil, writtenText } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { withRelayFixture } from '../../test/relay-fixture.js';

test(
  'a person who hides the phone number is recognized: receipts by message id, messages by phone number',
  withRelayFixture(async (fixture) => {
    const { session, receipts, inbound } = await fixture.online();
    const person = await fixture.person();
    person.phone.hideNumber(true);
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    await person.received(message.networkMessageId);
    await person.read(message.networkMessageId);
    const { networkMessageId } = message;
    await waitUntil('it was read', () => receipts.some(({ status }) => status === 'read'));
    expect(receipts).toEqual([
      { networkMessageId, status: 'delivered' },
      { networkMessageId, status: 'read' },
    ]);

    await person.send(fixture.phone.number, 'Halo juga');
    await waitUntil('the answer came', () => inbound.length > 0);
    expect(inbound).toMatchObject([{ person: { phone: person.number }, content: { text: 'Halo juga' } }]);
  }),
);

test(
  'an inbound message is acknowledged to the network only after the handler resolved, and messages keep their order',
  withRelayFixture(async (fixture) => {
    const open: (() => void)[] = [];
    const seen: InboundReport[] = [];
    await fixture.online({
      events: {
        inbound: async (report) => {
          seen.push(report);
          await new Promise<void>((resolve) => open.push(resolve));
        },
      },
    });
    const person = await fixture.person();
    const backlog = () => fixture.phone.devices()[0]?.backlog;
    await person.send(fixture.phone.number, 'one');
    await waitUntil('the first is being handled', () => open.length === 1);
    await person.send(fixture.phone.number, 'two');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen.map(writtenText)).toEqual(['one']);
    expect(backlog()).toBe(2);
    open[0]?.();
    await waitUntil('the second is being handled', () => open.length === 2);
    await waitUntil('the first is acknowledged', () => backlog() === 1);
    open[1]?.();
    await waitUntil('both are acknowledged', () => backlog() === 0);
    expect(seen.map(writtenText)).toEqual(['one', 'two']);
  }),
);

test(
  'a message whose handler rejects holds up nothing else, and arrives again after the next login',
  withRelayFixture(async (fixture) => {
    const texts: (string | null)[] = [];
    const first = await fixture.online({
      events: {
        inbound: async (report) => {
          texts.push(writtenText(report));
          if (writtenText(report) === 'poison') throw new Error('the database does not like it');
        },
      },
    });
    const person = await fixture.person();
    await person.send(fixture.phone.number, 'poison');
    await person.send(fixture.phone.number, 'good');
    await waitUntil('both were seen', () => texts.length === 2);
    await waitUntil('only one is acknowledged', () => fixture.phone.devices()[0]?.backlog === 1);
    expect(first.ends).toEqual([]);
    await first.session.close();

    const second = await fixture.connected();
    await waitUntil('it came again', () => second.inbound.length === 1);
    expect(second.inbound).toMatchObject([{ person: { phone: person.number }, content: { text: 'poison' } }]);
    await waitUntil('all is acknowledged', () => fixture.phone.devices()[0]?.backlog === 0);
  }),
);

test(
  'a handler that hangs is given up: later messages are reported, and its own message arrives again',
  withRelayFixture(
    async (fixture) => {
      const texts: (string | null)[] = [];
      const first = await fixture.online({
        events: {
          inbound: async (report) => {
            texts.push(writtenText(report));
            if (writtenText(report) === 'hangs') await new Promise(() => undefined);
          },
        },
      });
      const person = await fixture.person();
      await person.send(fixture.phone.number, 'hangs');
      await person.send(fixture.phone.number, 'goes on');
      await waitUntil('both were seen', () => texts.length === 2);
      await waitUntil('only one is acknowledged', () => fixture.phone.devices()[0]?.backlog === 1);
      expect(first.ends).toEqual([]);
      await first.session.close();

      const second = await fixture.connected();
      await waitUntil('it came again', () => second.inbound.length === 1);
      expect(second.inbound).toMatchObject([{ content: { text: 'hangs' } }]);
    },
    { handlerTimeoutMs: 300 },
  ),
);

test(
  'a silent connection is given up, so that the worker opens a new one',
  withRelayFixture(
    async (fixture) => {
      const { ends } = await fixture.online();
      fixture.relay.faults.queries('any', { kind: 'silence' }, { from: fixture.phone.number, times: 1_000 });
      await waitUntil('it is given up', () => ends.length === 1, 20_000);
      expect(ends).toEqual([{ reason: 'connection_lost', next: 'reconnect' }]);
    },
    { keepAliveMs: 500 },
  ),
);
