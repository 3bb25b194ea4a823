/** The automatic limit of new contacts, on a real lane. */
import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { sealer, type Tenant, type TestInput, useDatabaseFixture } from '../../test/database-fixture.js';
import { blocked, inAnHour, newContactsOn, numbers } from '../../test/new-contacts-fixture.js';
import { readMessage } from '../messages/read-messages.js';
import { writeAccountLimits, writeDeviceState, writeUnlinked } from '../sessions/device-session.js';
import { writeLinked } from '../sessions/write-linked.js';
import { changeDevice } from './device-settings.js';

const fixture = useDatabaseFixture();
const hour = 3_600_000;
const { known, writer, stranger, another } = numbers;
const { note, accept, drain, limit, shown } = newContactsOn(fixture);

describe('the automatic limit', () => {
  const people = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `62822${from + n}`);
  const codes = (recipients: readonly string[]) =>
    recipients.map((recipient): TestInput => ({ recipient, text: recipient, priority: 'otp' }));

  async function automatic(): Promise<Tenant> {
    const tenant = await fixture().tenant();
    await writeLinked(fixture().database, tenant.holder, '628111');
    await fixture().query(`UPDATE devices SET state = 'connected' WHERE id = $1`, [tenant.deviceId]);
    const { accountId, deviceId } = tenant;
    await changeDevice(fixture().database, sealer, accountId, deviceId, { newContactsPerDay: 'automatic' });
    return tenant;
  }

  /** Ends the pause. */
  const resume = ({ deviceId }: Tenant) =>
    fixture().query(`UPDATE device_health SET next_new_contact_at = now() - interval '1 second' WHERE device_id = $1`, [
      deviceId,
    ]);

  /** Sends everything that may go without a pause. */
  async function drainAll(tenant: Tenant): Promise<string[]> {
    const all: string[] = [];
    for (let some = await drain(tenant); some.length > 0; some = await drain(tenant)) {
      all.push(...some);
      await resume(tenant);
    }
    return all;
  }

  async function waitingOf({ accountId }: Tenant, id: MessageId | undefined) {
    return (await readMessage(fixture().database, accountId, id ?? 'msg_'))?.message.waiting ?? null;
  }

  test('pauses after a new contact while known contacts, replies and codes go on', async () => {
    const tenant = await automatic();
    await note(tenant.holder, 'wrote', known);
    await resume(tenant);
    await note(tenant.holder, 'heard', writer);
    const before = Date.now();
    const [, waits] = await accept(tenant, stranger, another, known, writer);
    expect(await drain(tenant)).toEqual([stranger, known, writer]);
    const waiting = await waitingOf(tenant, waits);
    expect(waiting?.reason).toBe('new_contact_pause');
    const pauseMs = (waiting?.until?.getTime() ?? 0) - before;
    expect(pauseMs).toBeGreaterThan(19_900);
    expect(pauseMs).toBeLessThan(70_000);
    expect(await shown(tenant, waits)).toEqual({ status: 'queued', reason: null });
    await fixture().accept(tenant, codes(['62833']));
    const code = await fixture().claim(tenant.holder);
    expect(code).toMatchObject({ kind: 'claimed', message: { recipient: '62833' } });
  });

  test('keeps a fifth for codes, and codes may use the whole limit', async () => {
    const tenant = await automatic();
    const [last] = (await accept(tenant, ...people(17))).slice(-1);
    expect(await drainAll(tenant)).toEqual(people(16));
    expect((await waitingOf(tenant, last))?.reason).toBe('new_contact_allowance');
    await fixture().accept(tenant, codes(people(5, 100)));
    expect(await drain(tenant)).toEqual(people(4, 100));
  });

  test('stops at a second warning, is halved by a first, and shows the end; a repeated report changes nothing', async () => {
    const tenant = await automatic();
    const until = inAnHour();
    const warn = (kind: 'first' | 'second') =>
      writeAccountLimits(fixture().database, tenant.holder, {
        newContacts: 'allowed',
        newChatQuota: null,
        warning: { kind, until },
      });
    const health = () => fixture().query('SELECT * FROM device_health WHERE device_id = $1', [tenant.deviceId]);
    await warn('second');
    const [id] = await accept(tenant, ...people(10));
    expect(await drainAll(tenant)).toEqual([]);
    expect(await waitingOf(tenant, id)).toEqual({ reason: 'network_warning', until });
    await warn('first');
    const once = await health();
    await warn('first');
    expect(await health()).toEqual(once);
    expect(await drainAll(tenant)).toEqual(people(8));
  });

  test('ignores a worker that has lost the lease, and starts again for another number', async () => {
    const tenant = await automatic();
    const read = () =>
      fixture().query('SELECT was_restricted, clean_days, warning FROM device_health WHERE device_id = $1', [
        tenant.deviceId,
      ]);
    await writeAccountLimits(fixture().database, { ...tenant.holder, epoch: 0n }, blocked(inAnHour()));
    expect(await read()).toEqual([{ was_restricted: false, clean_days: 0, warning: 0 }]);
    await writeAccountLimits(fixture().database, tenant.holder, blocked(inAnHour()));
    await writeLinked(fixture().database, tenant.holder, '628111');
    expect(await read()).toEqual([{ was_restricted: true, clean_days: 0, warning: 0 }]);
    await writeLinked(fixture().database, tenant.holder, '628222');
    expect(await read()).toEqual([{ was_restricted: false, clean_days: 0, warning: 0 }]);
  });

  const healthOf = async ({ deviceId }: Tenant) =>
    (
      await fixture().query<{ was_restricted: boolean; clean_days: number; clean_since: Date; warning: number }>(
        'SELECT was_restricted, clean_days, clean_since, warning FROM device_health WHERE device_id = $1',
        [deviceId],
      )
    )[0];
  const passDays = ({ deviceId }: Tenant, days: number) =>
    fixture().query(
      `UPDATE device_health SET clean_since = clean_since - make_interval(days => $2) WHERE device_id = $1`,
      [deviceId, days],
    );

  test('treats a temporary ban as a restriction and keeps a warning; a repeated report changes nothing', async () => {
    const tenant = await automatic();
    const until = inAnHour();
    await passDays(tenant, 3);
    const note = { reason: 'temporarily_banned', until } as const;
    await writeDeviceState(fixture().database, { ...tenant.holder, epoch: 0n }, 'connecting', note);
    await writeDeviceState(fixture().database, tenant.holder, 'connecting', {
      reason: 'rate_limited_by_network',
      until,
    });
    expect(await healthOf(tenant)).toMatchObject({ was_restricted: false, clean_days: 0 });
    const warning = { kind: 'first', until: inAnHour() } as const;
    await writeAccountLimits(fixture().database, tenant.holder, {
      newContacts: 'allowed',
      newChatQuota: null,
      warning,
    });
    const longer = new Date(until.getTime() + hour);
    for (const _ of [1, 2]) {
      await writeDeviceState(fixture().database, tenant.holder, 'connecting', { ...note, until: longer });
      expect(await healthOf(tenant)).toEqual({ was_restricted: true, clean_days: 0, clean_since: longer, warning: 1 });
    }
  });

  test('counts no clean days while the number is not linked, and keeps its step after a new link', async () => {
    const tenant = await automatic();
    await passDays(tenant, 3);
    await writeUnlinked(fixture().database, tenant.holder, 'disconnected', null);
    await passDays(tenant, 5);
    const before = Date.now() - 1_000;
    await writeLinked(fixture().database, tenant.holder, '628111');
    const relinked = await healthOf(tenant);
    expect(relinked).toMatchObject({ was_restricted: false, clean_days: 3 });
    expect(relinked?.clean_since.getTime()).toBeGreaterThan(before);
    await fixture().query('UPDATE device_health SET was_restricted = true WHERE device_id = $1', [tenant.deviceId]);
    await writeLinked(fixture().database, tenant.holder, '628111');
    expect(await healthOf(tenant)).toMatchObject({ was_restricted: true, clean_days: 0 });
  });

  test('has neither pause nor fifth when it is fixed, whatever the network warns of', async () => {
    const tenant = await automatic();
    await writeAccountLimits(fixture().database, tenant.holder, {
      newContacts: 'allowed',
      newChatQuota: null,
      warning: { kind: 'second', until: null },
    });
    await limit(tenant, 3);
    await accept(tenant, ...people(4));
    expect(await drain(tenant)).toEqual(people(3));
  });
});
