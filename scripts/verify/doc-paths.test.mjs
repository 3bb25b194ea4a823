import { expect, test } from 'vitest';
import { brokenPaths } from './doc-paths.mjs';

const there = new Set(['docs/signing.md', 'packages/queue', 'packages/queue/', 'README.md', 'apps/api/dist/main.js']);
const broken = (text, path = 'docs/page.md') =>
  brokenPaths({ path, text, exists: (target) => there.has(target) }).map(({ line, target }) => `${line} ${target}`);

test('links are seen from the document and paths in code from the root', () => {
  expect(
    broken('[a](signing.md) [b](../README.md#top "title") and `packages/queue/` and `node apps/api/dist/main.js`.'),
  ).toEqual([]);
  expect(broken('[a](README.md)\n\n`docs/gone.md`, ``packages/gone``')).toEqual([
    '1 docs/README.md',
    '3 docs/gone.md',
    '3 packages/gone',
  ]);
});

test('addresses, anchors, placeholders, other words and code blocks are no paths', () => {
  const text = [
    '[a](https://example.com/docs/x) [b](#part) [c](mailto:a@b.c)',
    '`.kurir/dev.json` `POST /v1/messages` `packages/<name>` `and/or` `docs`',
    '```',
    'packages/gone `docs/gone.md` [x](gone.md)',
    '```',
  ].join('\n');
  expect(broken(text)).toEqual([]);
});
