import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { curlOf } from './curl.js';

test('the command signs what it sends, and no text of the event ends its quotes', () => {
  const key = randomBytes(32);
  const body = JSON.stringify({ id: 'evt_1', reason: `it's $(touch /tmp/x) \`id\` "quoted" é` });
  const command = curlOf("https://example.com/it's", 'evt_1', body).replace(
    'whsec_…',
    `whsec_${key.toString('base64')}`,
  );
  // A function replaces curl and prints its arguments, one a line.
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${command}`], { encoding: 'utf8' });
  const lines = printed.trimEnd().split('\n');
  const header = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
  const signed = `evt_1.${header('webhook-timestamp')}.${body}`;
  expect(lines).toContain("https://example.com/it's");
  expect(lines.at(-1)).toBe(body);
  expect(header('webhook-timestamp')).toMatch(/^\d{10}$/);
  expect(header('webhook-signature')).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
});
