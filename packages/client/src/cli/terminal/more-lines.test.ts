import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { Cli } from './cli.js';
import { moreLines } from './more-lines.js';

/** `moreLines` uses only these of a command. */
const cliOf = (...args: string[]) => ({ args, paint: pc.createColors(false) }) as unknown as Cli;

test.each<[string[], string]>([
  [['list'], 'list --cursor new'],
  [['list', '--cursor', 'old', '--status', 'failed'], 'list --status failed --cursor new'],
  [['list', '--cursor=old'], 'list --cursor new'],
  [['list', '--search', "Budi's; rm"], "list --search 'Budi'\\''s; rm' --cursor new"],
  [['list', '--search', ''], "list --search '' --cursor new"],
])('%j goes on with the same words and another cursor', (args, words) => {
  expect(moreLines(cliOf(...args), 'new')).toEqual([`More: kurir ${words}`]);
});

test('a list at its end says nothing', () => {
  expect(moreLines(cliOf('list'), null)).toEqual([]);
});
