/** Tests of one audience: what becomes of its rows, and what stands when a worker dies at any point. */
import { beginAccountErasure, createAccount } from '@kurir/database';
import { cancelBroadcast, type ClaimedAudience, type NewAudience, readBroadcast } from '@kurir/database/broadcasts';
import { type ContactChange, saveContact } from '@kurir/database/contacts';
import { suppress } from '@kurir/database/suppressions';
import { forgetUploads } from '@kurir/database/uploads';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { AudienceFixture, everybody, type PlannedBroadcast } from '../../test/audience-fixture.js';
import { hookDatabase, type Point } from '../../test/hooked-database.js';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { planAudience } from './plan-audience.js';

const fixture = useWorkerFixture();
const audiences = new AudienceFixture(fixture);
const { signal } = new AbortController();
let customer: Customer;

/** A new account, so that no other audience is in the way. */
async function newCustomer(): Promise<Customer> {
  const accountId = await createAccount(fixture().database, 'test');
  await fixture().query(`UPDATE broadcasts SET state = 'cancelled' WHERE state = 'checking'`);
  return fixture().unlinkedDevice(accountId);
}
beforeEach(async () => {
  customer = await newCustomer();
});

const run = (audience: ClaimedAudience, database = fixture().database, batchRows = 3) =>
  planAudience({ database, accountKeys: fixture().accountKeys, audience, signal, batchRows });

async function planned(broadcast: PlannedBroadcast) {
  const outcome = await run(await audiences.take(broadcast));
  return { outcome, list: await audiences.list(broadcast), view: await audiences.read(broadcast) };
}

const rowsOf = (count: number) => Array.from({ length: count }, (_none, i) => `08123456789${i};n${i}`).join('\n');

describe('a file', () => {
  test('becomes one recipient for each row, and rubbish is kept with its reason', async () => {
    const file = [
      '\ufeffHP;Nama;Kota',
      '0812-3456-7890;Budi;Bandung',
      '6.28123E+12;Siti;Bogor',
      '+62 812 3456 7890;Budi lagi;',
      '',
      ';Kosong;',
      '81234567891;;',
      '081234567892;Ani;Solo;terlalu;banyak',
      `081234567893;${'x'.repeat(5_000)};`,
    ].join('\r\n');
    const { outcome, list, view } = await planned(await audiences.ofFile(customer, file, { text: 'Halo {{nama}}' }));
    expect([outcome, view]).toEqual(['done', expect.objectContaining({ state: 'ready', recipients: 7 })]);
    expect(list).toEqual([
      '1 6281234567890',
      '2 6.28123E+12 invalid_number',
      '3 6281234567890 duplicate',
      '4  invalid_number',
      '5 6281234567891 missing_value',
      '6 row 8 unreadable_row',
      '7 6281234567893 text_refused',
    ]);
    expect(view).toMatchObject({ plannedShare: null, audienceProblem: null });
    expect(await fixture().query('SELECT 1 FROM uploads WHERE account_id = $1', [customer.accountId])).toEqual([]);
  });

  test('may be UTF-16, and a value that is no text of its encoding is not sent', async () => {
    const wide = Buffer.from('\ufeffHP\tNama\n081234567890\tBudi\n', 'utf16le');
    expect((await planned(await audiences.ofFile(customer, wide))).list).toEqual(['1 6281234567890']);
    const head = `HP,Nama,Kota\n${'081234567890,Budi,Solo\n'.repeat(4_000)}`;
    const latin = [`081234567891,Andr\xe9,Solo\n`, `081234567892,Ani,Cianj\xfcr\n`];
    const file = Buffer.concat([Buffer.from(head), Buffer.from(latin.join(''), 'latin1')]);
    customer = await newCustomer();
    const broadcast = await audiences.ofFile(customer, file);
    await planAudience({
      ...fixture(),
      database: fixture().database,
      audience: await audiences.take(broadcast),
      signal,
    });
    // The text does not use the broken value of the last one.
    expect((await audiences.list(broadcast)).slice(-2)).toEqual([
      '4001 6281234567891 unreadable_row',
      '4002 6281234567892',
    ]);
  });

  test.each<[string, Buffer | string, string, number | null]>([
    ['quotes that nobody closes', `HP;Nama\n${rowsOf(7)}\n081234567899;"Siti\n`, 'quote_not_closed', 9],
    ['a row without end', `HP;Nama\n${rowsOf(7)}\n"${'x'.repeat(2_000_000)}`, 'row_too_long', 9],
    ['rubbish', Buffer.from([0, 1, 2, 3]), 'not_text', null],
    ['another header', 'Telepon;Nama\n081234567890;Budi', 'column_missing', null],
  ])('with %s cancels the broadcast, and says why', async (_name, file, code, row) => {
    const { outcome, view } = await planned(await audiences.ofFile(customer, file));
    expect([outcome, view]).toMatchObject(['failed', { state: 'cancelled', audienceProblem: { code, row } }]);
  });

  test('that is deleted in the middle cancels the broadcast', async () => {
    // A worker has read the beginning of the file before it plans the first row.
    const file = `HP;Nama\n${'081234567890;Budi\n'.repeat(20_000)}`;
    const broadcast = await audiences.ofFile(customer, file, { partBytes: 100_000 });
    let commits = 0;
    const database = hookDatabase(fixture().database, async (point) => {
      if (point !== 'after COMMIT' || ++commits !== 1) return;
      await fixture().query(
        'DELETE FROM upload_parts WHERE upload_id IN (SELECT id FROM uploads WHERE account_id = $1)',
        [customer.accountId],
      );
    });
    expect(await run(await audiences.take(broadcast), database, 1_000)).toBe('failed');
    expect(await audiences.read(broadcast)).toMatchObject({
      state: 'cancelled',
      audienceProblem: { code: 'upload_gone', row: null },
    });
  });

  test('is kept while it is planned, and goes when the broadcast is cancelled', async () => {
    const broadcast = await audiences.ofFile(customer, `HP;Nama\n${rowsOf(3)}\n`);
    await fixture().query(`UPDATE uploads SET created_at = now() - interval '9 days' WHERE account_id = $1`, [
      customer.accountId,
    ]);
    await forgetUploads(fixture().database, signal);
    expect(await audiences.uploads(broadcast)).toBe(1);
    await cancelBroadcast(fixture().database, { id: broadcast.id, accountId: customer.accountId }, undefined);
    await forgetUploads(fixture().database, signal);
    expect(await audiences.uploads(broadcast)).toBe(0);
  });
});

describe('contacts', () => {
  const save = (phone: string, change: ContactChange) =>
    saveContact(fixture().database, customer.accountId, { phone, change });
  const numberOf = (i: number) => String(6_281_234_567_890 + i);

  test('that match become recipients, with their attributes and their name', async () => {
    for (let i = 0; i < 8; i++)
      await save(numberOf(i), { name: `n${i}`, lists: ['promo'], attributes: { kota: 'Solo' } });
    await save(numberOf(8), { name: 'Lain', lists: ['lain'] });
    await save(numberOf(9), { lists: ['promo'], attributes: { phone: 'rumah' } });
    const { accountId } = customer;
    const wish = { accountId, phones: [numberOf(3)], scope: 'marketing', reason: 'manual', actor: null } as const;
    await suppress(fixture().database, fixture().accountKeys, wish, undefined);
    const audience: NewAudience = { filter: { ...everybody, list: 'promo' } };
    const text = 'Halo {{name|Kak}} di {{kota|Indonesia}}, nomor {{phone}}';
    const broadcast = await audiences.create(customer, audience, text);
    const { outcome, list, view } = await planned(broadcast);
    expect([outcome, view.state]).toEqual(['done', 'ready']);
    expect(list.map((line) => line.slice(2)).sort()).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 9].map((n) => `${numberOf(n)}${n === 3 ? ' suppressed' : ''}`),
    );
    const [{ filter } = { filter: 'none' }] = await fixture().query<{ filter: unknown }>(
      'SELECT filter FROM broadcast_audiences WHERE broadcast_id = $1',
      [broadcast.id],
    );
    expect(filter).toBeNull();
  });

  test('that are created meanwhile are not met, and nobody is skipped', async () => {
    for (let i = 0; i < 7; i++) await save(numberOf(i), {});
    const broadcast = await audiences.create(customer, { filter: everybody });
    const database = hookDatabase(fixture().database, async (point) => {
      if (point === 'after COMMIT') await save(numberOf(90 + Math.floor(Math.random() * 9)), {});
    });
    expect(await run(await audiences.take(broadcast), database)).toBe('done');
    const list = await audiences.list(broadcast);
    expect(list.map((line) => line.slice(2)).sort()).toEqual([0, 1, 2, 3, 4, 5, 6].map(numberOf));
  });

  test('of nobody make a list of nobody', async () => {
    const { outcome, list, view } = await planned(await audiences.create(customer, { filter: everybody }));
    expect([outcome, list, view.state]).toEqual(['done', [], 'ready']);
  });
});

/** Ten rows: one number twice, and one that is no number. */
const tenRows = [
  'HP;Nama',
  ...[0, 1, 2, 3, 1, 4].map((n) => `08123456789${n};n${n}`),
  'x;y',
  rowsOf(9).slice(-45),
].join('\n');

describe('a worker dies', () => {
  class Killed extends Error {}
  /** Throws when the point is passed for the `nth` time. */
  const killAt = (at: Point, nth: number) => {
    let passes = 0;
    return (point: Point) => {
      if (point === at && ++passes === nth) throw new Killed(at);
    };
  };
  const statements = [
    'read-upload-slice',
    'BEGIN',
    'lock-broadcast',
    'move-place-in-audience',
    'plan-recipients',
    'COMMIT',
    'forget-audience',
    'move-broadcast',
  ];
  const points = statements.flatMap((name): Point[] => [`before ${name}`, `after ${name}`]);

  test('at any point, and the next one goes on; each row is there exactly once', async () => {
    const expected = (await planned(await audiences.ofFile(customer, tenRows))).list;
    expect(expected).toHaveLength(10);
    let deaths = 0;
    for (const at of points)
      for (let nth = 1, died = true; died; nth++) {
        customer = await newCustomer();
        const broadcast = await audiences.ofFile(customer, tenRows, { partBytes: 40 });
        const database = hookDatabase(fixture().database, killAt(at, nth));
        died = await run(await audiences.take(broadcast), database).then(
          () => false,
          (error: unknown) => {
            if (error instanceof Killed) return true;
            throw error;
          },
        );
        deaths += died ? 1 : 0;
        await audiences.expire(broadcast);
        if ((await audiences.read(broadcast)).state === 'checking') await run(await audiences.take(broadcast));
        expect(await audiences.read(broadcast), `${at} ${nth}`).toMatchObject({ state: 'ready', recipients: 10 });
        expect(await audiences.list(broadcast), `${at} ${nth}`).toEqual(expected);
        await forgetUploads(fixture().database, signal);
        expect(await audiences.uploads(broadcast)).toBe(0);
      }
    expect(deaths).toBeGreaterThan(30);
  }, 120_000);
});

describe('between two batches', () => {
  /** Does `work` after the first batch. */
  async function runWith(broadcast: PlannedBroadcast, work: () => Promise<unknown>) {
    let commits = 0;
    const hook = async (point: Point) => {
      if (point === 'after COMMIT' && ++commits === 1) await work();
    };
    return run(await audiences.take(broadcast), hookDatabase(fixture().database, hook));
  }

  test('the progress is shown, and another worker takes over; the first one plans nothing more', async () => {
    const broadcast = await audiences.ofFile(customer, tenRows, { partBytes: 70 });
    const outcome = await runWith(broadcast, async () => {
      const { plannedShare, recipients } = await audiences.read(broadcast);
      expect([plannedShare, recipients]).toEqual([expect.any(Number), 3]);
      expect(plannedShare).toBeGreaterThan(0);
      await audiences.expire(broadcast);
      expect(await run(await audiences.take(broadcast))).toBe('done');
    });
    expect(outcome).toBe('left');
    expect(await audiences.list(broadcast)).toHaveLength(10);
  });

  test('somebody cancels, and nobody more is planned', async () => {
    const broadcast = await audiences.ofFile(customer, tenRows);
    const whose = { id: broadcast.id, accountId: customer.accountId };
    expect(await runWith(broadcast, () => cancelBroadcast(fixture().database, whose, undefined))).toBe('left');
    expect(await audiences.read(broadcast)).toMatchObject({ state: 'cancelled', recipients: 3, audienceProblem: null });
  });

  test('the account is erased, and nobody more is planned', async () => {
    const broadcast = await audiences.ofFile(customer, tenRows);
    const { accountId } = customer;
    const audit = { accountId, actor: 'admin', action: 'account.erased' } as const;
    expect(await runWith(broadcast, () => beginAccountErasure(fixture().database, accountId, audit))).toBe('left');
    expect(await audiences.list(broadcast)).toHaveLength(3);
    expect(await fixture().query('SELECT 1 FROM broadcast_audiences WHERE account_id = $1', [accountId])).toEqual([]);
  });

  test('each change of the state is an event', async () => {
    const broadcast = await audiences.ofFile(customer, tenRows);
    await run(await audiences.take(broadcast));
    const events = await fixture().query<{ state: string }>('SELECT state FROM events WHERE subject_id = $1', [
      broadcast.id,
    ]);
    expect(events.map(({ state }) => state)).toEqual(['ready']);
    expect((await readBroadcast(fixture().database, customer.accountId, broadcast.id))?.counts.pending).toBe(8);
  });
});
