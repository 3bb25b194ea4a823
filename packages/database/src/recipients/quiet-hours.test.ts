/** Marketing goes out in the hours of its recipient. The tests put contacts into zones in which it is day or night now. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bulkOf,
  present,
  type Tenant,
  type TestInput,
  textIn,
  useDatabaseFixture,
} from '../../test/database-fixture.js';
import { zoneNames } from './recipient-hours.js';
import { acceptTogether } from '../messages/accept-messages.js';
import { moveToNextHours } from './move-to-next-hours.js';
import { readWaiting } from '../messages/read-waiting.js';
import { giveUp } from '../messages/report-outcome.js';
import { wakeMessages } from '../messages/sweep-messages.js';

const fixture = useDatabaseFixture();

const hourIn = (zone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format());
const zones = Intl.supportedValuesOf('timeZone');
/** Far from both ends of the hours. */
const zoneOfDay = present(zones.find((zone) => hourIn(zone) >= 10 && hourIn(zone) < 18));
const zoneOfNight = present(zones.find((zone) => hourIn(zone) >= 22 || hourIn(zone) < 6));

const [dayPerson, nightPerson] = ['6281200000001', '6281200000002'];

async function aTenant(): Promise<Tenant> {
  const tenant = await fixture().tenant({ quota: 100_000 });
  await fixture().query(
    `INSERT INTO contacts (id, account_id, phone, time_zone) SELECT 'con_' || $1 || phone, $1, phone, zone
     FROM unnest($2::text[], $3::text[]) AS t (phone, zone)`,
    [tenant.accountId, [dayPerson, nightPerson], [zoneOfDay, zoneOfNight]],
  );
  return tenant;
}

const marketing = (recipient: string, more: TestInput = {}): TestInput => ({
  category: 'marketing',
  recipient,
  text: recipient,
  ...more,
});

async function drain({ holder }: Tenant): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const outcome = await fixture().claim(holder);
    if (outcome.kind !== 'claimed') return texts;
    texts.push(textIn(outcome.message.content));
    await fixture().change(outcome.message.id, `status = 'sent'`);
  }
}

/** Milliseconds; NaN for none. */
async function times(id: string) {
  const [row] = await fixture().query<Record<'opens' | 'closes' | 'waits', Date | null>>(
    `SELECT window_opens_at AS opens, window_closes_at AS closes, waits_until AS waits FROM messages WHERE id = $1`,
    [id],
  );
  const msOf = (time: Date | null | undefined) => time?.getTime() ?? Number.NaN;
  return { opens: msOf(row?.opens), closes: msOf(row?.closes), waits: msOf(row?.waits) };
}

const acceptOne = async (tenant: Tenant, input: TestInput) =>
  present((await acceptTogether(fixture().database, fixture().accountKeys, bulkOf(tenant, [input])))[0]);

describe('at acceptance', () => {
  test('marketing for a person in the night waits for the morning, and other messages go', async () => {
    const tenant = await aTenant();
    const [waiting] = await fixture().accept(tenant, [
      marketing(nightPerson),
      marketing(dayPerson),
      { recipient: nightPerson, text: 'code', category: 'authentication', priority: 'otp' },
      { recipient: nightPerson, text: 'receipt', category: 'transactional' },
    ]);
    expect(await drain(tenant)).toEqual(['code', dayPerson, 'receipt']);
    const id = present(waiting).messageId;
    const { opens } = await times(id);
    const waits = { reason: 'quiet_hours', until: new Date(opens) };
    expect((await readWaiting(fixture().database, [id])).get(id)).toEqual(waits);
    expect(opens).toBeGreaterThan(Date.now());
  });

  test('a number without a contact gets it in the hours that fit all zones of its country', async () => {
    const tenant = await aTenant();
    const [message] = await fixture().accept(tenant, [marketing('6281299999999')]);
    const { opens } = await times(present(message).messageId);
    expect(zoneNames('+ID', { country: 'ID', timeZone: null })).toContain('Asia/Jayapura');
    // 08:00 in Jakarta, when it is 10:00 in Jayapura.
    expect(new Date(opens).toISOString()).toMatch(/T01:00:00/);
  });

  test('a number of the country of the account gets it in the zone that the account has chosen', async () => {
    const tenant = await aTenant();
    await fixture().query(`UPDATE accounts SET time_zone = 'Asia/Jakarta' WHERE id = $1`, [tenant.accountId]);
    const [own, foreign] = await fixture().accept(tenant, [marketing('6281299999999'), marketing('60123456789')]);
    const { opens, closes } = await times(present(own).messageId);
    // From 08:00 to 20:57 in Jakarta. Before, it was over at 18:57.
    expect([opens, closes].map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['01:00', '13:57']);
    const malaysian = await times(present(foreign).messageId);
    expect(new Date(malaysian.opens).toISOString()).toMatch(/T00:00:00/);
  });

  test('a recipient whose time zone nobody can tell gets it in the hours of the account', async () => {
    const tenant = await aTenant();
    await fixture().query(`UPDATE accounts SET country = 'JP' WHERE id = $1`, [tenant.accountId]);
    // A number of a satellite network, which has no country.
    const [message] = await fixture().accept(tenant, [marketing('8821234567890')]);
    const { opens } = await times(present(message).messageId);
    expect(new Date(opens).toISOString()).toMatch(/T23:00:00/);
  });

  test('a recipient for whom no hour is ever open is refused, and gets it at no hour', async () => {
    const tenant = await aTenant();
    await fixture().query(`UPDATE accounts SET country = 'ZZ' WHERE id = $1`, [tenant.accountId]);
    expect(await acceptOne(tenant, marketing('8821234567890'))).toEqual({
      kind: 'refused',
      code: 'EXPIRES_IN_QUIET_HOURS',
    });
    expect(await drain(tenant)).toEqual([]);
  });

  test('a scheduled message gets the hours of its time', async () => {
    const tenant = await aTenant();
    const sendAt = new Date(Date.now() + 5 * 86_400_000);
    const [message] = await fixture().accept(tenant, [marketing(dayPerson, { sendAt })]);
    const { opens, closes, waits } = await times(present(message).messageId);
    expect(closes).toBeGreaterThan(sendAt.getTime());
    expect(waits).toBe(Math.max(sendAt.getTime(), opens));
  });

  test('a message that would expire before the morning is refused and costs nothing', async () => {
    const tenant = await aTenant();
    expect(await acceptOne(tenant, marketing(nightPerson, { ttlSeconds: 60 }))).toEqual({
      kind: 'refused',
      code: 'EXPIRES_IN_QUIET_HOURS',
    });
    expect(await acceptOne(tenant, marketing(dayPerson, { ttlSeconds: 60 }))).toMatchObject({ kind: 'accepted' });
    expect(await acceptOne(tenant, marketing(nightPerson, { ttlSeconds: 172_800 }))).toMatchObject({
      kind: 'accepted',
    });
    expect(await fixture().taken(tenant.accountId)).toEqual([2]);
  });
});

describe('a claimed message that the driver never got', () => {
  test('waits for the next hours, because it did not go out', async () => {
    const tenant = await aTenant();
    const [message] = await fixture().accept(tenant, [marketing(nightPerson)]);
    const { messageId: id } = present(message);
    await fixture().change(
      id,
      `waits_until = NULL, window_opens_at = now(), window_closes_at = now() + interval '1 hour'`,
    );
    expect(await fixture().claim(tenant.holder)).toMatchObject({ kind: 'claimed' });
    await fixture().change(id, `window_closes_at = now() - interval '3 minutes'`);
    // The worker has not heard of its claim, so its last try has another name.
    const outcome = await fixture().claim(tenant.holder, { lastTry: '' });
    if (outcome.kind !== 'exhausted') throw new Error(outcome.kind);
    expect(await giveUp(fixture().database, tenant.holder, outcome.message)).toBe(true);
    expect(await fixture().state(id)).toMatchObject({ status: 'queued', unanswered: 0 });
    expect(await fixture().claim(tenant.holder, { lastTry: '' })).toEqual({ kind: 'nothing' });
    expect(await moveToNextHours(fixture().database)).toBe(1);
    expect((await times(id)).opens).toBeGreaterThan(Date.now());
  });
});

describe('when the hours end', () => {
  const over = `window_opens_at = now() - interval '9 hours', window_closes_at = now() - interval '1 second'`;

  test('no claim takes a message, and the sweep moves it to the next hours', async () => {
    const tenant = await aTenant();
    const [message] = await fixture().accept(tenant, [marketing(nightPerson)]);
    const { messageId: id } = present(message);
    await fixture().change(id, `${over}, waits_until = NULL`);
    expect(await drain(tenant)).toEqual([]);
    expect(await moveToNextHours(fixture().database)).toBe(1);
    const { opens, waits } = await times(id);
    expect(opens).toBeGreaterThan(Date.now());
    expect(waits).toBe(opens);
    expect(await moveToNextHours(fixture().database)).toBe(0);
    await fixture().change(id, `window_opens_at = now() - interval '2 ms', waits_until = now() - interval '2 ms'`);
    await wakeMessages(fixture().database);
    expect(await drain(tenant)).toEqual([nightPerson]);
  });

  test('two sweeps at once move each message once, to the same hours', async () => {
    const tenant = await aTenant();
    const accepted = await fixture().accept(
      tenant,
      Array.from({ length: 300 }, () => marketing(dayPerson)),
    );
    await fixture().query(`UPDATE messages SET ${over} WHERE account_id = $1`, [tenant.accountId]);
    const moved = await Promise.all([moveToNextHours(fixture().database), moveToNextHours(fixture().database)]);
    expect(moved.reduce((a, b) => a + b)).toBe(accepted.length);
    await wakeMessages(fixture().database);
    expect(await drain(tenant)).toHaveLength(accepted.length);
  });

  test('a time that a retry waits for is kept if it is later', async () => {
    const tenant = await aTenant();
    const [message] = await fixture().accept(tenant, [marketing(dayPerson)]);
    const { messageId: id } = present(message);
    const later = `now() + interval '5 hours'`;
    await fixture().change(id, `${over}, held_until = ${later}, waits_until = ${later}`);
    await moveToNextHours(fixture().database);
    expect((await times(id)).waits).toBeGreaterThan(Date.now() + 4 * 3_600_000);
  });

  test('a message whose retry must wait for the next hours lets others to the person go', async () => {
    const tenant = await aTenant();
    const [message] = await fixture().accept(tenant, [
      marketing(nightPerson),
      { recipient: nightPerson, text: 'receipt', category: 'transactional' },
    ]);
    const { messageId: id } = present(message);
    const soon = `now() + interval '10 seconds'`;
    await fixture().change(
      id,
      `window_closes_at = now() + interval '1 hour', held_until = ${soon}, waits_until = ${soon}`,
    );
    // As long as the retry is near, it goes first.
    expect(await drain(tenant)).toEqual([]);
    await fixture().change(id, over);
    await moveToNextHours(fixture().database);
    expect(await drain(tenant)).toEqual(['receipt']);
  });

  test('a try without an answer is not repeated in the night: its outcome is unknown', async () => {
    const tenant = await aTenant();
    const [message] = await fixture().accept(tenant, [marketing(dayPerson)]);
    const { messageId: id } = present(message);
    expect(await fixture().claim(tenant.holder)).toMatchObject({ kind: 'claimed' });
    await fixture().change(id, `window_closes_at = now() - interval '3 minutes'`);
    const outcome = await fixture().claim(tenant.holder, { lastTry: `${id}#1` });
    if (outcome.kind !== 'exhausted') throw new Error(outcome.kind);
    expect(await giveUp(fixture().database, tenant.holder, outcome.message)).toBe(true);
    expect(await fixture().state(id)).toMatchObject({ status: 'unknown' });
  });
});

test('in 1,000 random cases, no claim takes a message outside its hours', async () => {
  const tenant = await aTenant();
  const minutes = fc.integer({ min: -600, max: 600 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(minutes, minutes), { minLength: 20, maxLength: 20 }), async (cases) => {
      const accepted = await fixture().accept(
        tenant,
        cases.map((_, i) => marketing(dayPerson, { text: String(i) })),
      );
      await fixture().query(
        `UPDATE messages m SET waits_until = NULL, window_opens_at = now() + t.opens * interval '1 minute' + interval '30 seconds',
           window_closes_at = now() + t.closes * interval '1 minute' + interval '30 seconds'
         FROM unnest($1::text[], $2::int[], $3::int[]) AS t (id, opens, closes) WHERE m.id = t.id`,
        [accepted.map(({ messageId }) => messageId), cases.map(([opens]) => opens), cases.map(([, closes]) => closes)],
      );
      const isOpen = ([opens, closes]: readonly [number, number]) => opens < 0 && closes >= 0;
      expect(await drain(tenant)).toEqual(cases.flatMap((each, i) => (isOpen(each) ? [String(i)] : [])));
      await fixture().query(`DELETE FROM messages WHERE account_id = $1`, [tenant.accountId]);
    }),
    { numRuns: 50 },
  );
});
