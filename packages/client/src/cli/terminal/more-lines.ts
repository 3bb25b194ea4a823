/** Names the command that continues a list. */
import type { Cli } from './cli.js';

const plain = /^[\w@%+=:,./-]+$/;

/** Quotes a word for a shell if it needs that. */
const quoted = (word: string): string => (plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The same words with another cursor, so that the filter stays. Null: the list is at its end. */
export function moreLines({ args, paint }: Cli, cursor: string | null): string[] {
  if (cursor === null) return [];
  const kept = args.filter((arg, i) => !arg.startsWith('--cursor') && args[i - 1] !== '--cursor');
  return [paint.dim(`More: kurir ${[...kept, '--cursor', cursor].map(quoted).join(' ')}`)];
}
