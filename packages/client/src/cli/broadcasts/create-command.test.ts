import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exampleBroadcast, exampleCounted } from '../../../test/broadcast-examples.js';
import { fakeClock } from '../../../test/clock-fixture.js';
import { type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';

let clock = fakeClock();
let gateway: Gateway;
let folder: string;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
  folder = await mkdtemp(join(tmpdir(), 'kurir-broadcast-'));
  await writeFile(
    join(folder, 'list.txt'),
    '\ufeff+62 812-3456-7890\r\n\r\n{"phone":"6281234567891","values":{"namaDepan":"Siti"}}',
  );
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

function create(args: readonly string[], more: Parameters<typeof runHere>[2] = {}) {
  clock.advance(1_000);
  return runHere(['broadcast', 'create', 'Promo', ...args], environmentFor(gateway.baseUrl), {
    clock,
    folder,
    ...more,
  });
}

type Body = { after?: number; rows?: unknown[]; audience?: { rows?: unknown[] } };
const bodies = () => gateway.accepted.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body) as Body);

it('makes a draft from numbers and rows with values, whose names stay as they are', async () => {
  const words =
    '--footer STOP --rows list.txt --device dev_1 --device dev_2 --pace 60 --category transactional --send-at 10m --no-window';
  const { code, stdout } = await create(['--message', 'Halo {{namaDepan|Kak}}', ...words.split(' ')]);
  expect([code, stdout]).toEqual([0, 'draft  brc_1\n2 recipients\nCheck it: kurir broadcast check brc_1\n']);
  expect(bodies()).toEqual([
    {
      name: 'Promo',
      message: 'Halo {{namaDepan|Kak}}',
      footer: 'STOP',
      device_ids: ['dev_1', 'dev_2'],
      pace_per_minute: 60,
      category: 'transactional',
      window: null,
      send_at: expect.stringMatching(/^20.*Z$/),
      audience: { rows: [{ phone: '6281234567890' }, { phone: '6281234567891', values: { namaDepan: 'Siti' } }] },
    },
  ]);
});

it('uses the device of the settings, a template, and no list', async () => {
  const { stdout } = await create(['--template', 'tpl_1', '--json']);
  expect(JSON.parse(stdout)).toEqual(exampleBroadcast());
  expect(bodies()).toEqual([{ name: 'Promo', template_id: 'tpl_1', device_ids: ['dev_1'] }]);
});

/** More rows than one request takes. */
async function* manyLines() {
  for (let i = 0; i < 25_000; i++) yield `${6_281_000_000_000 + i}\n`;
}

it('sends a long list in parts, each after those before it', async () => {
  gateway.answer({
    addBroadcastRecipients: ({ body }) => {
      const { after, rows } = JSON.parse(body) as { after: number; rows: unknown[] };
      return { broadcast_id: 'brc_1', recipients: after + rows.length };
    },
  });
  const { stdout } = await create(['--message', 'Halo', '--rows', '-'], { stdin: manyLines() });
  expect(stdout).toContain('25,000 recipients');
  const [made, ...added] = bodies();
  expect(made?.audience?.rows).toHaveLength(10_000);
  expect(added.map(({ after, rows }) => [after, rows?.length])).toEqual([
    [10_000, 10_000],
    [20_000, 5_000],
  ]);
  expect(added[1]?.rows?.[0]).toEqual({ phone: String(6_281_000_020_000) });
});

it('says how far it came if the list breaks off', async () => {
  gateway.answer({
    addBroadcastRecipients: () => {
      gateway.fail(refusal('BROADCAST_STATE'));
      return { broadcast_id: 'brc_1', recipients: 20_000 };
    },
  });
  const { code, stdout, stderr } = await create(['--message', 'Halo', '--rows', '-'], { stdin: manyLines() });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('brc_1 has only 20,000 recipients. Nothing goes out before you start it.');
});

/** A worker reads the list. */
const checking = (share: number) => exampleBroadcast({ state: 'checking', recipients: 1_000, planned_share: share });
const shows = (...seen: ReturnType<typeof checking>[]) =>
  gateway.answer({
    createBroadcast: () => checking(0),
    getBroadcast: () => exampleCounted({ broadcast: seen.shift() ?? checking(1) }),
  });

it('sends a file, names its columns, and waits until a worker has read it', async () => {
  shows(checking(0.2), checking(0.9), exampleBroadcast({ state: 'ready', recipients: 2_000 }));
  const { code, stdout } = await create([
    '--message',
    'Halo',
    '--file',
    'list.txt',
    '--map',
    'phone=No, HP,namaDepan=Nama',
  ]);
  expect([code, stdout]).toEqual([0, 'ready  brc_1\n2,000 recipients\nCheck it: kurir broadcast check brc_1\n']);
  const [upload, , made] = bodies();
  expect(upload).toMatchObject({ file_name: 'list.txt' });
  const mapping = { phone: 'No, HP', values: { namaDepan: 'Nama' } };
  expect(made?.audience).toEqual({ upload_id: 'upl_1', mapping });
  expect(clock.slept).toEqual([1_000, 1_000, 1_000]);
});

it('lets the gateway guess the columns', async () => {
  const { stdout } = await create(['--message', 'Halo', '--file', 'list.txt', '--no-wait']);
  expect(stdout).toContain('draft  brc_1');
  await create(['--message', 'Halo', '--file', 'list.txt', '--map', 'phone=HP', '--no-wait']);
  const made = bodies().filter(({ audience }) => audience !== undefined);
  expect(made.map(({ audience }) => audience)).toEqual([
    { upload_id: 'upl_1' },
    { upload_id: 'upl_1', mapping: { phone: 'HP' } },
  ]);
});

it('takes contacts of a list or with an attribute, whose key stays as it is', async () => {
  const words = '--contacts-list promo --contacts-attribute kotaAsal:Bandung --no-wait';
  await create(['--message', 'Halo', ...words.split(' ')]);
  expect(bodies()[0]?.audience).toEqual({ contacts: { list: 'promo', attribute: 'kotaAsal:Bandung' } });
});

it('says why the list cannot be read, and exits with 1', async () => {
  const problem = { code: 'row_too_long', row: 7, error: 'A row is too long.' };
  shows(exampleBroadcast({ state: 'cancelled', audience_problem: problem }));
  const { code, stdout } = await create(['--message', 'Halo', '--file', 'list.txt']);
  expect([code, stdout]).toEqual([1, 'cancelled  brc_1\n0 recipients\nrow 7: A row is too long.\n']);
});

it.each([
  [['--rows', 'list.txt'], /Give --message or --template/],
  [['--message', 'Halo', '--template', 'tpl_1'], /Give --message or --template/],
  [['--template', 'tpl_1', '--footer', 'Balas STOP'], /its own footer/],
  [['--message', 'Halo', '--rows', 'none.txt'], /none\.txt cannot be read/],
  [['--message', 'Halo', '--file', 'none.csv'], /none\.csv cannot be read/],
  [['--message', 'Halo', '--file', 'list.txt', '--contacts-list', 'promo'], /Give one of/],
  [['--message', 'Halo', '--contacts-list', 'promo', '--map', 'phone=HP'], /--map belongs to --file/],
  [['--message', 'Halo', '--file', 'list.txt', '--map', 'nama=Nama'], /phone=COLUMN/],
  [['--message', 'Halo', '--file', 'list.txt', '--map', 'HP'], /field=column/],
  [['--message', 'Halo', '--category', 'spam'], /Allowed choices/],
  [['--message', 'Halo', '--send-at', 'soon'], /Give a time/],
])('%j is wrong usage, and makes no draft', async (args, message) => {
  expect(await create(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  expect(gateway.received).toEqual([]);
});

it.each([
  ['', /no recipient/],
  ['6281234567890\n{"phone": ', /Line 2 is neither/],
])('the list %j makes no draft', async (input, message) => {
  const ran = await create(['--message', 'Halo', '--rows', '-'], { input });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  expect(gateway.received).toEqual([]);
});

it('needs a device', async () => {
  const environment = { ...environmentFor(gateway.baseUrl), KURIR_DEVICE_ID: undefined };
  expect(await create(['--message', 'Halo'], { environment })).toMatchObject({ code: 2 });
});
