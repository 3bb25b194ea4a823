import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeClock } from '../../../test/clock-fixture.js';
import { type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';
import { examplePreview, exampleTemplate } from '../../../test/template-examples.js';

let clock = fakeClock();
let gateway: Gateway;

beforeEach(async () => {
  clock = fakeClock();
  gateway = await startGateway(clock.now);
});
afterEach(() => gateway.close());

const kurir = (...args: string[]) => runHere(['templates', ...args], environmentFor(gateway.baseUrl), { clock });
const sentBody = (index = 0): unknown => JSON.parse(gateway.received[index]?.body ?? '');

it('lists templates, and control characters do not reach the terminal', async () => {
  gateway.answer({
    listTemplates: () => ({ templates: [exampleTemplate({ name: 'Promo\u001b[2J' })], next_cursor: 'tpl_1' }),
  });
  expect((await kurir()).stdout).toBe('tpl_1  v3  Promo\ufffd[2J\nMore: --cursor tpl_1\n');
  gateway.answer({ listTemplates: () => ({ templates: [], next_cursor: null }) });
  expect((await kurir('list', '--cursor', 'tpl_1')).stdout).toBe('No templates.\n');
  expect(gateway.received[1]?.target).toBe('/api/v1/templates?cursor=tpl_1');
});

it('shows a template with its text as it is written', async () => {
  const { stdout } = await kurir('show', 'tpl_1');
  expect(stdout).toContain('nama (has a fallback), kode');
  expect(stdout).toMatch(/\n\nHalo {{nama\|Kak}}\n{{kode}}\n\nBalas STOP untuk berhenti\n$/);
});

it('creates from a text or a file', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'kurir-')), 'promo.txt');
  await writeFile(file, 'Halo {{nama}}\n\n');
  expect((await kurir('create', 'Promo', '--file', file, '--footer', 'STOP')).code).toBe(0);
  expect((await kurir('create', 'Promo', '--text', 'Hai')).code).toBe(0);
  expect([sentBody(0), sentBody(1)]).toEqual([
    { name: 'Promo', text: 'Halo {{nama}}\n', footer: 'STOP' },
    { name: 'Promo', text: 'Hai', footer: null },
  ]);
});

it('edits only what is named, on the version that it read', async () => {
  await kurir('edit', 'tpl_1', '--text', 'Hai');
  await kurir('edit', 'tpl_1', '--no-footer');
  expect([sentBody(1), sentBody(3)]).toEqual([
    { text: 'Hai', footer: 'Balas STOP untuk berhenti', base_version: 3 },
    { text: 'Halo {{nama|Kak}}\n{{kode}}', footer: null, base_version: 3 },
  ]);
  gateway.fail(refusal('TEMPLATE_CHANGED', 'Somebody added a version since.'));
  const late = await kurir('edit', 'tpl_1', '--text', 'Hai');
  expect([late.code, late.stderr.includes('Somebody added a version since.')]).toEqual([1, true]);
});

it('previews a text or a template for recipients, and says who would get nothing', async () => {
  const rows = [
    { phone: '6281234567890', text: 'Halo\nBudi\u0007', problem: null, missing: [], code_points: 10 },
    { phone: '6281234567891', text: null, problem: 'missing' as const, missing: ['kode'], code_points: null },
  ];
  gateway.answer({ previewTemplate: () => examplePreview({ rows, advice: 'Add a name.' }) });
  const options = ['--to', '6281234567890', '--to', '6281234567891', '--value', 'namaDepan=a=b'];
  const { code, stdout } = await kurir('preview', '--text', 'Halo', ...options);
  expect([code, stdout]).toEqual([
    1,
    '6281234567890  10 characters\nHalo\nBudi\ufffd\n6281234567891  no value and no fallback for kode\nAdd a name.\n',
  ]);
  const values = { namaDepan: 'a=b' };
  expect(sentBody()).toEqual({
    text: 'Halo',
    footer: null,
    rows: [
      { phone: '6281234567890', values },
      { phone: '6281234567891', values },
    ],
  });
  gateway.answer({ previewTemplate: () => examplePreview() });
  expect((await kurir('preview', 'tpl_1')).code).toBe(0);
  expect(sentBody(2)).toMatchObject({ text: 'Halo {{nama|Kak}}\n{{kode}}', footer: 'Balas STOP untuk berhenti' });
});

it.each([
  [['create', 'Promo']],
  [['create', 'Promo', '--text', 'a', '--file', 'b']],
  [['create', 'Promo', '--file', 'no-such-file']],
  [['edit', 'tpl_1']],
  [['preview']],
  [['preview', 'tpl_1', '--text', 'a']],
  [['preview', '--text', 'a', '--value', 'nama']],
  [['show', '../account']],
])('%j ends with 2, and nothing is sent', async (args) => {
  expect(await kurir(...args)).toMatchObject({ code: 2, stdout: '' });
  expect(gateway.received).toEqual([]);
});
