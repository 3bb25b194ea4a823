/** People's queries, and the page that must come first, in the indexes as they were built. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { createLanguageSearch, type LanguageSearch } from './search-languages.js';

const chunks = fileURLToPath(new URL('../../dist/assets/chunks/', import.meta.url));
const searches: Record<string, LanguageSearch> = {};

/** The chunk is a variable with the index as a text, and its export. */
function readIndex(name: string): string {
  const file = readdirSync(chunks).find((one) => one.startsWith(`@localSearchIndex${name}.`) && one.endsWith('.js'));
  if (file === undefined) throw new Error('The documentation is not built. Run: npm run build');
  return String(runInNewContext(readFileSync(chunks + file, 'utf8').replace(/export\{(\w+) as default\};?\s*$/, '$1')));
}

beforeAll(() => {
  const [root, id] = [readIndex('root'), readIndex('id')];
  searches['en'] = createLanguageSearch([root, id]);
  searches['id'] = createLanguageSearch([id, root]);
});

const firstPage = (language: string, text: string) =>
  String(searches[language]?.search(text)[0]?.id).replace(/#.*$/, '');

test.each([
  ['lost answer', '/errors'],
  ['retry', '/idempotency'],
  ['idempotency', '/idempotency'],
  ['duplicate message', '/idempotency'],
  ['rate limit', '/errors'],
  ['rate limits', '/errors'],
  ['429', '/errors'],
  ['too many requests', '/errors'],
  ['phone number format', '/contacts'],
  ['country code', '/contacts'],
  ['import contacts', '/contacts'],
  ['how to import contacts from Excel', '/contacts'],
  ['blocked number', '/device-health'],
  ['banned', '/device-health'],
  ['unsubscribe', '/opting-out'],
  ['otp', '/codes'],
  ['signature', '/signing'],
  ['webhook signature', '/webhooks'],
  ['Standard Webhooks', '/webhooks'],
  ['bulk', '/broadcasts'],
  ['sandbox', '/testing'],
  ['payment', '/renewal'],
  ['waha', '/moving-in'],
  ['perpanjangan', '/id/renewal'],
])('English: %s leads to %s', (text, page) => expect(firstPage('en', text)).toBe(page));

test.each([
  ['impor kontak', '/id/contacts'],
  ['cara impor kontak dari Excel', '/id/contacts'],
  ['nomor diblokir', '/id/device-health'],
  ['format nomor', '/id/contacts'],
  ['format nomor telepon', '/id/contacts'],
  ['jawaban hilang', '/id/errors'],
  ['retry', '/id/idempotency'],
  ['rate limit', '/id/errors'],
  ['batas permintaan', '/id/errors'],
  ['balas chat', '/id/conversations'],
  ['siaran', '/id/broadcasts'],
  ['kirim ke banyak orang', '/id/broadcasts'],
  ['berhenti langganan', '/id/opting-out'],
  ['bayar', '/id/renewal'],
  ['perpanjangan', '/id/renewal'],
  ['tanda tangan', '/id/signing'],
  ['otp', '/id/codes'],
  ['templat', '/id/templates'],
  ['pindah dari waha', '/id/moving-in'],
  ['toko', '/id/shop-owners'],
  ['GDPR', '/data-protection'],
  ['KURIR_DRAIN_SECONDS', '/configuration'],
])('Indonesian: %s leads to %s', (text, page) => expect(firstPage('id', text)).toBe(page));

test('the changelog comes after pages that explain', () => {
  for (const text of ['webhooks', 'templates', 'audit log', 'kurir listen', 'rate limit']) {
    const pages = searches['en']?.search(text).map(({ id }) => String(id).replace(/#.*$/, '')) ?? [];
    expect(pages.slice(0, 5), text).not.toContain('/changelog');
  }
});
