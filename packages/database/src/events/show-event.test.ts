/** Every event that the gateway shows fits its published schema. */
import { eventTypeNames, type EventType, isConversationEventType, isMessageEventType, newId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { expectToFit, problemsOf, publishedTypes } from '../../test/event-schema.js';
import { erasedRecipient } from '../messages/new-message.js';
import { type KnownEvent, showFeed } from './show-event.js';

const fixture = useDatabaseFixture();

const states: Partial<Record<EventType, string>> = {
  'device.state_changed': 'connected',
  'quota.low': '80',
  'quota.exhausted': '100',
  'plan.expiring': '7',
  'broadcast.state_changed': 'paused',
};

/** As the log has it. `subjectId` may name nothing, as after erasing. */
function logged({ accountId, deviceId }: Tenant, kind: EventType, subjectId: string): KnownEvent {
  return {
    position: { generation: 1n, xid: 700n, seq: 4n },
    accountId,
    deviceId: kind.startsWith('message.') || kind.startsWith('device.') ? deviceId : null,
    subjectId,
    sequence: 4,
    kind,
    state: isConversationEventType(kind) ? newId('inb') : (states[kind] ?? null),
    reason: kind === 'broadcast.state_changed' ? 'guard' : 'no_answer',
    until: new Date('2026-11-25T09:00:00.000Z'),
    at: new Date('2026-11-25T08:00:00.000Z'),
  };
}

async function subjectOf(tenant: Tenant, type: EventType): Promise<string> {
  if (isMessageEventType(type)) return (await fixture().accept(tenant))[0]?.messageId ?? '';
  if (type.startsWith('device.')) return tenant.deviceId;
  if (type.startsWith('broadcast.')) return newId('brc');
  return type.startsWith('renewal.') ? newId('rnw') : tenant.accountId;
}

test('there is a schema for each type, and no other', () => {
  expect(publishedTypes()).toEqual(eventTypeNames);
});

describe.each(eventTypeNames)('%s', (type) => {
  test('fits its schema, whether its subject is there or erased', async () => {
    const tenant = await fixture().tenant();
    const subjects = [await subjectOf(tenant, type), newId('msg')];
    const shown = await showFeed(
      fixture().database,
      fixture().accountKeys,
      subjects.map((subject) => logged(tenant, type, subject)),
    );
    expect(shown).toHaveLength(2);
    for (const event of shown) expectToFit(event);
  });

  test('no other type fits its schema, and no event without its id', async () => {
    const tenant = await fixture().tenant();
    const [event] = await showFeed(fixture().database, fixture().accountKeys, [
      logged(tenant, type, await subjectOf(tenant, type)),
    ]);
    const { id: _id, ...nameless } = event ?? { id: '' };
    expect(problemsOf(type, nameless)).not.toBeNull();
    for (const other of eventTypeNames.filter((name) => name !== type))
      expect(problemsOf(other, event), other).not.toBeNull();
  });
});

test('an erased number is null', async () => {
  const tenant = await fixture().tenant();
  const jobId = await subjectOf(tenant, 'message.sent');
  await fixture().database.pool.query('UPDATE messages SET recipient = $2 WHERE id = $1', [jobId, erasedRecipient]);
  const [event] = await showFeed(fixture().database, fixture().accountKeys, [logged(tenant, 'message.sent', jobId)]);
  expect(event?.data).toMatchObject({ job_id: jobId, phone_destination: null });
});
