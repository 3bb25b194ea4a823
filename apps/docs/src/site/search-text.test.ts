import { expect, test } from 'vitest';
import { searchText } from './search-text.js';

test('an operation is one section with its words and its fields', () => {
  const markdown =
    '# Send\n\nSends.\n\n## Sample\n\n```ts\ncode\n```\n\n## Request\n\n### Body\n\n| Field | Type |\n|---|---|\n| `ttl` | number |\n\n## Answer\n\nanswer\n';
  const text = searchText(markdown, 'reference/send.md');
  expect(text).toMatch(/# Send\n\nSends\.\n[\s\S]*`ttl` \| number/);
  expect(text).not.toMatch(/##|code|answer|Field|---/);
});

test('the code of a guide is read without its language', () => {
  expect(searchText('```sh\nls\n```\ntext\n```json [a]\n{}\n```', 'guide.md')).toBe(
    '```text\nls\n```\ntext\n```text\n{}\n```',
  );
});
