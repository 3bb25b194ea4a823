/** The span that accepted a message stays with the message, and each later step reads it along with its rows. */
import { startTraceCollector, waitUntil } from '@kurir/testing';
import { startTracing } from '@kurir/tracing';
import { expect, test } from 'vitest';
import { broadcastsOn, rowOf } from '../../test/broadcast-fixture.js';
import { messageOf, present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { type EventPosition, readEndOfLog } from '../events/events.js';
import { readFeed } from '../events/feed.js';
import { isKnown, type KnownEvent, showFeed, showTracedEvents } from '../events/show-event.js';
import { acceptTogether } from './accept-messages.js';
import { createOutcomeWriter, type NetworkReport } from './report-outcome.js';

const fixture = useDatabaseFixture();
const { running, drive } = broadcastsOn(fixture);

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

async function acceptOne(tenant: Tenant, given: string | undefined): Promise<string> {
  const message = { ...messageOf(tenant), traceparent: given };
  await acceptTogether(fixture().database, fixture().accountKeys, [message]);
  return message.id;
}

/** The events of a message. Transactions of other tests may keep the end of the log back for a moment. */
async function knownEventsOf({ accountId }: Tenant, id: string, after: EventPosition, count: number) {
  const filter = { types: null, deviceId: null, limit: 10 };
  let known: KnownEvent[] = [];
  const areThere = async () => {
    const { events } = await readFeed(fixture().database, accountId, after, filter);
    known = events.filter(isKnown).filter(({ subjectId }) => subjectId === id);
    return known.length === count;
  };
  await waitUntil(areThere, { what: `${count} events of the message` });
  return known;
}

test.each([traceparent, undefined])('claim, receipts and events of a message carry %s', async (given) => {
  const tenant = await fixture().tenant();
  const { database, accountKeys } = fixture();
  const beginning = await readEndOfLog(database);
  const id = await acceptOne(tenant, given);
  const claimed = await fixture().claim(tenant.holder);
  if (claimed.kind !== 'claimed') throw new Error('nothing to claim');
  expect(claimed.message).toMatchObject({ id, traceparent: given ?? null });

  const writer = createOutcomeWriter(database);
  await writer.answered(claimed.message, tenant.holder.epoch, { kind: 'sent' });
  const { networkMessageId } = claimed.message;
  const report = (status: NetworkReport['status']) =>
    writer.reported({ deviceId: tenant.deviceId, networkMessageId, status });
  expect(await report('sent')).toBeNull();
  expect(await report('delivered')).toMatchObject({ id, traceparent: given ?? null });
  expect(await report('delivered')).toBeNull();
  expect(await writer.reported({ deviceId: tenant.deviceId, networkMessageId: 'SOMEBODY', status: 'read' })).toBeNull();

  const steps = ['message.accepted', 'message.sending', 'message.sent', 'message.delivered'];
  const known = await knownEventsOf(tenant, id, beginning, steps.length);
  const ofMessage = await showTracedEvents(database, accountKeys, known);
  expect(ofMessage.map(({ shown }) => shown.type)).toEqual(steps);
  expect(ofMessage.map((event) => event.traceparent)).toEqual(ofMessage.map(() => given ?? null));
  expect(JSON.stringify(await showFeed(database, accountKeys, known))).not.toContain('4bf92f35');
});

test('each message of a broadcast has a trace of its own', async () => {
  const collector = await startTraceCollector();
  const tracing = await startTracing({
    program: 'worker',
    endpoint: collector.url,
    headers: undefined,
    share: 1,
    instance: undefined,
    onLost: () => expect.unreachable(),
  });
  const tenant = await fixture().tenant();
  const numbers = ['6281300000901', '6281300000902', '6281300000903'];
  const id = await running(
    tenant,
    numbers.map((number) => rowOf(number)),
  );
  await drive(id);
  await tracing.stop();
  collector.close();

  const stored = await fixture().query<{ id: string; traceparent: string | null }>(
    'SELECT id, traceparent FROM messages WHERE account_id = $1 ORDER BY id',
    [tenant.accountId],
  );
  const spans = collector.spans.toSorted((a, b) =>
    String(a.attributes['kurir.job_id']) < String(b.attributes['kurir.job_id']) ? -1 : 1,
  );
  expect(spans.map(({ name }) => name)).toEqual(numbers.map(() => 'release message'));
  expect(spans.map(({ attributes }) => attributes)).toEqual(
    stored.map((row) => ({ 'kurir.job_id': row.id, 'kurir.device_id': tenant.deviceId, 'kurir.broadcast_id': id })),
  );
  expect(stored.map((row) => row.traceparent)).toEqual(
    spans.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`),
  );
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(numbers.length);
  for (const number of numbers) expect(collector.bodies.join()).not.toContain(number);
});

test('messages store nothing while spans are off', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, [rowOf('6281300000911')]);
  await drive(id);
  const rows = await fixture().query<{ traceparent: string | null }>(
    'SELECT traceparent FROM messages WHERE account_id = $1',
    [tenant.accountId],
  );
  expect(present(rows[0]).traceparent).toBeNull();
});
