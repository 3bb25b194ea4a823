import { expect, test } from 'vitest';
import { shellTexts } from '../ground/texts.js';
import { pageWords } from './page-words.js';
import { isNamed, last, rank, thing } from './rank.js';

// The record has exactly these keys; Object.keys only knows `string`.
const pages = Object.keys(pageWords) as (keyof typeof pageWords)[];

/** The page that stands first for this text. */
function firstPage(text: string): string | undefined {
  const ranked = pages.map((name) => ({
    name,
    rank: rank(name, text, [shellTexts.en.pages[name], shellTexts.id.pages[name], pageWords[name]]),
  }));
  return ranked.toSorted((a, b) => b.rank - a.rank)[0]?.name;
}

test.each([
  ['billing', 'billing'],
  ['tagihan', 'billing'],
  ['perpanjang', 'billing'],
  ['invoice', 'billing'],
  ['kirim pesan', 'send'],
  ['kontak', 'contacts'],
  ['contacts', 'contacts'],
  ['perangkat', 'devices'],
  ['undang', 'members'],
  ['invite', 'members'],
  ['kunci', 'keys'],
  ['signature', 'debugger'],
  ['password', 'security'],
  ['kata sandi', 'security'],
  ['berhenti', 'suppressions'],
])('the words of both languages find a page: %s', (text, page) => expect(firstPage(text)).toBe(page));

test('the searches stand after each entry whose name fits', () => {
  expect(rank('devices', 'dev', ['Devices'])).toBeGreaterThan(rank(last.findMessages, 'dev'));
  expect(rank(last.findMessages, 'dev')).toBeGreaterThan(rank(last.searchDocs, 'dev'));
  expect(rank(last.searchDocs, 'xyz')).toBeGreaterThan(0);
});

test('a thing is named by its whole name or a whole word of it, and its whole name comes first', () => {
  for (const text of ['budi', 'Budi Santoso', ' santoso ']) expect(isNamed('Budi Santoso', text)).toBe(true);
  for (const text of ['', 'bud', 'udi']) expect(isNamed('Budi Santoso', text)).toBe(false);
  const of = (name: string) => rank(`${thing}x`, 'budi', [`${name} · +62 812`, name, 'budi']);
  expect(of('Budi')).toBeGreaterThan(of('Budi Santoso'));
  expect(of('Budi Santoso')).toBeGreaterThan(of('Budiman'));
});
