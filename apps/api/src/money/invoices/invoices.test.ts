import { inflateSync } from 'node:zlib';
import { newId } from '@kurir/contracts';
import { beginAccountErasure, choosePlan, createPlan } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp } from '../../../test/person.js';
import { startTestApi, type TestApi } from '../../../test/test-api.js';
import { drawInvoice } from '../../payments/invoices/draw-invoice.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_SELLER_NAME: 'PT Penjual', KURIR_SELLER_TAX_NUMBER: '01.234' });
});
afterAll(() => t.close());

/** The texts of a PDF whose fonts are the built-in ones: hexadecimal strings in compressed streams. */
function textOf(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)];
  const pages = streams.map(([, body = '']) => inflateSync(Buffer.from(body, 'latin1')).toString('latin1'));
  const lines = pages.flatMap((page) => [...page.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts = '']) => parts));
  return lines
    .map((parts) =>
      [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
    )
    .join('\n');
}

async function pay({ browser, accountId }: Person): Promise<string> {
  const name = `Paket ${newId('pln')}`;
  await choosePlan(
    t.database,
    accountId,
    await createPlan(t.database, { name, durationDays: 30, priceRupiah: 50_000, quota: 1_000 }),
  );
  const { data } = (await browser.call('renewAccount')).body;
  const body = new URLSearchParams({ method: 'qris' });
  await fetch(String(data['payment_url']), { method: 'POST', redirect: 'manual', body });
  return String(data['renewal_id']);
}

const details = { name: 'PT Toko Jaya', tax_number: '09.254.294.3-407.000', address: 'Jl. Melati 5\nBandung 40115' };

describe('an invoice', () => {
  test('keeps the details of the day on which it was paid', async () => {
    const person = await signUp(t.url);
    const { browser } = person;
    const nothing = { name: null, tax_number: null, address: null };
    expect((await browser.call('readInvoiceDetails')).body.data).toEqual(nothing);
    const bare = await pay(person);
    expect((await browser.call('setInvoiceDetails', { body: details })).body.data).toEqual(details);
    const named = await pay(person);
    await browser.call('setInvoiceDetails', { body: { name: ' ', tax_number: '', address: null } });
    expect((await browser.call('readInvoiceDetails')).body.data).toEqual(nothing);
    const { data } = (await browser.call('listInvoices')).body;
    expect(data).toMatchObject({
      invoices: [
        { invoice_id: named, billed_to: details },
        { invoice_id: bare, billed_to: { ...nothing, name: expect.any(String) } },
      ],
      seller: { name: 'PT Penjual', tax_number: '01.234', address: null },
    });
  });

  test.each([
    {
      language: 'id',
      words: ['Faktur', 'Ditagihkan kepada', 'NPWP 09.254.294.3-407.000', '1.000 pesan', 'Total (LUNAS)', 'Rp50.000'],
    },
    {
      language: 'en',
      words: ['Invoice', 'Billed to', 'Tax number 01.234', '1,000 messages', 'Total (PAID)', 'Rp\u00a050,000'],
    },
  ])('is a PDF of one page in the language $language', async ({ language, words }) => {
    const person = await signUp(t.url);
    await person.browser.call('setInvoiceDetails', { body: details });
    const id = await pay(person);
    const answer = await person.browser.fetch('GET', `/app/api/invoices/${id}/pdf?language=${language}`);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="KRR-\d{8}-\w{8}\.pdf"$/);
    const pdf = Buffer.from(await answer.arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const text = textOf(pdf);
    for (const word of [...words, 'PT Penjual', 'PT Toko Jaya', 'Jl. Melati 5', 'Bandung 40115'])
      expect(text).toContain(word);
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  });

  test('names the way of paying, and the days of the period before that it goes on with', async () => {
    const person = await signUp(t.url);
    await pay(person);
    const id = await pay(person);
    const { data } = (await person.browser.call('listInvoices')).body;
    expect(data['invoices']).toMatchObject([{ method: 'qris' }, { method: 'qris' }]);
    const pdfIn = async (language: string) =>
      textOf(
        Buffer.from(
          await (await person.browser.fetch('GET', `/app/api/invoices/${id}/pdf?language=${language}`)).arrayBuffer(),
        ),
      );
    expect(await pdfIn('id')).toMatch(/30\s+hari \+ sisa \d+\s+hari[^]*QRIS \(uji coba, tanpa uang sungguhan\)/);
    expect(await pdfIn('en')).toMatch(/30\s+days \+ \d+\s+days\s+left over[^]*QRIS \(test, no real money\)/);
  });

  test('of another account does not exist', async () => {
    const [owner, stranger] = [await signUp(t.url), await signUp(t.url)];
    const id = await pay(owner);
    for (const unknown of [id, newId('rnw'), 'x', '%00'])
      expect((await stranger.browser.fetch('GET', `/app/api/invoices/${unknown}/pdf`)).status, unknown).toBe(404);
  });

  test('that is not paid does not exist', async () => {
    const person = await signUp(t.url);
    const id = await pay(person);
    await t.database.pool.query(`UPDATE renewals SET state = 'pending' WHERE id = $1`, [id]);
    expect((await person.browser.fetch('GET', `/app/api/invoices/${id}/pdf`)).status).toBe(404);
  });

  test('has one page and a readable name, whatever its texts are', async () => {
    const long = 'Ünïcödé 株式会社 \u{1f600} '.repeat(30);
    const file = drawInvoice({
      invoice: {
        id: newId('rnw'),
        accountName: 'Żółw',
        billedTo: { name: null, taxNumber: long, address: long },
        planName: long.slice(0, 60),
        durationDays: 1,
        quota: null,
        amountRupiah: 2_147_483_647,
        method: null,
        provider: 'sandbox',
        providerPayment: 'x'.repeat(200),
        paidAt: new Date(0),
        periodStart: new Date(0),
        periodEnd: new Date(8.64e15),
      },
      seller: { name: null, taxNumber: null, address: null },
      language: 'en',
    });
    const parts: Uint8Array[] = [];
    for await (const part of file) parts.push(part);
    const pdf = Buffer.concat(parts);
    expect(textOf(pdf)).toContain('Zó?w');
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  });
});

test.each([
  { body: { ...details, name: 'a\nb' }, fault: 'field=name&rule=characters' },
  { body: { ...details, address: 'a\tb' }, fault: 'field=address&rule=characters' },
  { body: { ...details, tax_number: '1'.repeat(41) }, fault: 'field=tax_number&rule=too_long&limit=40' },
  { body: { name: 'a', address: 'b' }, fault: 'field=tax_number&rule=required' },
])('the details $body are refused', async ({ body, fault }) => {
  const { browser } = await signUp(t.url);
  const { status, headers } = await browser.call('setInvoiceDetails', { body });
  expect([status, headers.get('x-invalid-field')]).toEqual([422, fault]);
});

test('erasing the account takes the details from it and from its invoices', async () => {
  const person = await signUp(t.url);
  await person.browser.call('setInvoiceDetails', { body: details });
  await pay(person);
  const audit = { accountId: person.accountId, actor: person.userId, action: 'account.erased' } as const;
  await beginAccountErasure(t.database, person.accountId, audit);
  const { rows } = await t.database.pool.query(
    `SELECT invoice_name, invoice_tax_number, invoice_address FROM renewals WHERE account_id = $1
     UNION ALL SELECT invoice_name, invoice_tax_number, invoice_address FROM accounts WHERE id = $1`,
    [person.accountId],
  );
  const nothing = { invoice_name: null, invoice_tax_number: null, invoice_address: null };
  expect(rows).toEqual([nothing, nothing]);
});
