import { expect, test } from 'vitest';
import { cleanMarkdown, descriptionOf, titleOf } from './clean-markdown.js';

const pageOf = (target: string) => (target.startsWith('events.md') ? target.replace('events.md', '/events') : null);

test.each([
  ['a page', 'See [the *events*](events.md#kinds).', 'See [the *events*](/events#kinds).'],
  ['a file of the repository', 'See [the vectors](../packages/signing/vectors.json).', 'See the vectors.'],
  ['a place in the same page', '[below](#below)', '[below](#below)'],
  ['another site', '[spec](https://example.com/a.md)', '[spec](https://example.com/a.md)'],
  ['a picture that is not there', 'a ![picture](x.png) b', 'a  b'],
  ['a comment', '<!-- made by a program -->\nText', 'Text'],
])('a link to %s', (_, before, after) => {
  expect(cleanMarkdown(before, { pageOf })).toBe(after);
});

test('code stays as it is', () => {
  const code = '```md\n[x](y.md) <!-- z -->\n```';
  expect(cleanMarkdown(`${code}\n[x](y.md)\n${code}`, { pageOf })).toBe(`${code}\nx\n${code}`);
});

test('a picture of states is a table', () => {
  const picture =
    '```mermaid\nstateDiagram-v2\n  [*] --> queued\n  queued --> sent\n  queued --> failed\n  sent --> [*]\n```';
  expect(cleanMarkdown(picture, { pageOf }).split('\n').slice(2)).toEqual([
    '| – | `queued` |',
    '| `queued` | `sent`, `failed` |',
    '| `sent` | – |',
  ]);
});

test('title and description are plain text', () => {
  const markdown =
    '# The `kurir` command\n\n```sh\nkurir\n```\n\nIt [sends](x.md) **texts**,\nand `waits`. It also lists.\n';
  expect(titleOf(markdown)).toBe('The kurir command');
  expect(descriptionOf(markdown)).toBe('It sends texts, and waits.');
  expect(() => titleOf('no heading')).toThrow('no heading');
});
