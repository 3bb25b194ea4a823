import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCustomer, createKey, type Customer } from '../../test/customer-fixture.js';
import { type CallOptions, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let customer: Customer;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());
beforeEach(async () => {
  customer = await createCustomer(t.database);
});

const ask = (operation: Parameters<typeof call>[2], options: CallOptions = {}) =>
  call(t.url, customer, operation, options);
const create = (body: object = {}) =>
  ask('createTemplate', { body: { name: 'Promo', text: 'Halo {{nama|Kak}} {{kode}}', ...body } });

type Shown = { version: number; text: string; variables: unknown[]; template_id: string };
const data = async <T = Shown>(asked: ReturnType<typeof ask>): Promise<T> => {
  const { status, body } = await asked;
  expect(status, body.error).toBe(200);
  // The schemas of the contracts have checked the shape.
  return body.data as T;
};

describe('a template that cannot be', () => {
  test.each([
    [{ text: '' }, 'text: must not be empty.'],
    [{ text: ' \n' }, 'text: must not be empty.'],
    [{ text: 'a\u0000' }, 'text: must not hold U+0000 or lone surrogates.'],
    [{ text: 'x'.repeat(8193) }, 'text: must be at most 8192 characters (code points).'],
    [{ text: 'Halo\n👋 {{nama' }, 'text: line 2, character 3: {{ has no }} before the end of the text or the next {{.'],
    [
      { text: 'Halo nama}}' },
      'text: line 1, character 10: }} has no {{ before it; write \\}} for the characters themselves.',
    ],
    [{ footer: 'STOP\nSTOP' }, 'footer: must be one line.'],
    [{ footer: '{{pick:a}}' }, 'footer: line 1, character 1: pick needs at least two options: {{pick:one|two}}.'],
    [{ footer: 'x'.repeat(201) }, 'footer: must be at most 200 characters (code points).'],
    [{ name: ' ' }, 'name: must not be empty.'],
    [{ name: 'x'.repeat(65) }, expect.stringMatching(/^name: /)],
    [{ version: 2 }, 'Unknown field "version". Remove it or check its spelling.'],
  ])('has the fields %j', async (body, error) => {
    const answer = await create(body);
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([422, 'INVALID_REQUEST', error]);
  });
});

describe('a template', () => {
  test('is created, listed page by page, looked up, changed and archived', async () => {
    const made = await data(create({ footer: 'Balas STOP – {{toko}}' }));
    expect(made).toMatchObject({
      name: 'Promo',
      version: 1,
      footer: 'Balas STOP – {{toko}}',
      archived_at: null,
      variables: [
        { name: 'nama', required: false },
        { name: 'kode', required: true },
        { name: 'toko', required: true },
      ],
    });
    const { template_id: templateId } = made;
    expect(await data(ask('getTemplate', { templateId }))).toEqual(made);
    const other = await data(create({ name: 'Lain' }));
    const page = await data<{ templates: Shown[]; next_cursor: string }>(ask('listTemplates', { query: 'limit=1' }));
    expect(page.templates).toEqual([other]);
    expect(await data(ask('listTemplates', { query: `cursor=${page.next_cursor}` }))).toEqual({
      templates: [made],
      next_cursor: null,
    });
    const changed = await data(ask('createTemplateVersion', { templateId, body: { text: 'Hai', base_version: 1 } }));
    expect(changed).toMatchObject({ version: 2, text: 'Hai', footer: null, variables: [] });
    expect(await data(ask('archiveTemplate', { templateId }))).toEqual({ template_id: templateId });
    expect((await ask('archiveTemplate', { templateId })).body.code).toBe('TEMPLATE_NOT_FOUND');
    expect((await ask('createTemplateVersion', { templateId, body: { text: 'x' } })).body.code).toBe(
      'TEMPLATE_NOT_FOUND',
    );
    expect(await data(ask('listTemplates'))).toMatchObject({ templates: [other] });
    expect(await data(ask('getTemplate', { templateId }))).toMatchObject({
      version: 2,
      archived_at: expect.any(String),
    });
  });

  test('shows who wrote each version, newest first', async () => {
    const { template_id: templateId } = await data(create());
    await data(ask('createTemplateVersion', { templateId, body: { text: 'Hai' } }));
    const { versions } = await data<{ versions: unknown[] }>(ask('listTemplateVersions', { templateId }));
    const made = { created_by: { id: customer.key.id, name: expect.any(String) }, created_at: expect.any(String) };
    expect(versions).toEqual([
      { version: 2, text: 'Hai', footer: null, ...made },
      { version: 1, text: 'Halo {{nama|Kak}} {{kode}}', footer: null, ...made },
    ]);
  });

  test('is not overwritten by somebody who has an older version', async () => {
    const { template_id: templateId } = await data(create());
    const change = (base_version: number) =>
      ask('createTemplateVersion', { templateId, body: { text: `from ${base_version}`, base_version } });
    await data(change(1));
    for (const base of [1, 3]) {
      const { status, body } = await change(base);
      expect([status, body.code]).toEqual([409, 'TEMPLATE_CHANGED']);
    }
    expect((await create()).body.code).toBe('TEMPLATE_NAME_TAKEN');
  });

  test('needs the scope of broadcasts', async () => {
    const key = await createKey(t.database, customer.accountId, { scopes: ['broadcasts:read'] });
    const reader = { ...customer, key };
    expect((await call(t.url, reader, 'listTemplates')).status).toBe(200);
    expect((await call(t.url, reader, 'createTemplate', { body: { name: 'x', text: 'x' } })).body.code).toBe(
      'KEY_NOT_ALLOWED',
    );
  });
});

describe('a preview', () => {
  const preview = (body: object) => ask('previewTemplate', { body });
  type Preview = { rows: { text: string | null }[]; equal_share: number | null; advice: string | null };

  test('shows each text, or why there is none', async () => {
    const rows = [
      { phone: '6281234567890', values: { Nama: 'Budi {{x}}', kode: 'A-1' } },
      { phone: '6281234567891', values: { nama: ' ' } },
      { phone: '6281234567892', values: { nama: 'x'.repeat(4096) } },
    ];
    const text = '👋 {{nama}}: {{kode|-}}';
    const seen = await data<Preview>(preview({ text, footer: 'Balas STOP', rows }));
    expect(seen).toEqual({
      variables: [
        { name: 'nama', required: true },
        { name: 'kode', required: false },
      ],
      rows: [
        {
          phone: '6281234567890',
          text: '👋 Budi {{x}}: A-1\n\nBalas STOP',
          problem: null,
          missing: [],
          code_points: 29,
        },
        { phone: '6281234567891', text: null, problem: 'missing', missing: ['nama'], code_points: null },
        { phone: '6281234567892', text: null, problem: 'too_long', missing: [], code_points: null },
      ],
      equal_share: null,
      warning: null,
      advice: null,
    });
  });

  test('warns if most texts are equal, and is the same each time', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ phone: String(6281234567800 + i) }));
    expect(await data(preview({ text: 'Halo', rows }))).toMatchObject({
      equal_share: 1,
      warning: 'mostly_equal',
      advice: expect.stringContaining('{{pick:'),
    });
    const varied = await data<Preview>(preview({ text: '{{pick:Halo|Hai|Selamat siang}}', rows }));
    expect([varied.equal_share, varied.advice]).toEqual([expect.any(Number), null]);
    expect(new Set(varied.rows.map(({ text }) => text)).size).toBe(3);
    expect(await data(preview({ text: '{{pick:Halo|Hai|Selamat siang}}', rows }))).toEqual(varied);
  });

  test.each([
    [[], 'INVALID_REQUEST'],
    [Array.from({ length: 21 }, () => ({ phone: '6281234567890' })), 'INVALID_REQUEST'],
    [[{ phone: '0812' }], 'INVALID_PHONE_NUMBER'],
    [[{ phone: '6281234567890', values: { nama: 7 } }], 'INVALID_REQUEST'],
    [[{ phone: '6281234567890', values: { nama: 'a\u0000' } }], 'INVALID_REQUEST'],
    [
      [{ phone: '6281234567890', values: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`v${i}`, ''])) }],
      'INVALID_REQUEST',
    ],
  ])('refuses the rows %.60j', async (rows, code) => {
    const { status, body } = await preview({ text: 'Halo', rows });
    expect([status, body.code]).toEqual([422, code]);
  });
});
