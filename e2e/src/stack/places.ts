/** The places where a secret may have leaked to, as text that a test can search. */
import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '@kurir/database';
import type { Stack } from './stack.js';

async function readOfProcesses(pids: readonly (number | string)[], file: 'cmdline' | 'environ'): Promise<string> {
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')));
  return texts.join('\n');
}

/** The arguments of every process that this user may read; empty without /proc. */
export async function readArguments(): Promise<string> {
  const entries = await readdir('/proc').catch(() => [] as string[]);
  return readOfProcesses(
    entries.filter((entry) => /^[0-9]+$/.test(entry)),
    'cmdline',
  );
}

/** The environments of the stack's programs and of their children; empty without /proc. */
export async function readEnvironments({ api, workers }: Stack): Promise<string> {
  const own = [api, ...workers].map(({ pid }) => String(pid));
  const children = await Promise.all(
    own.map((pid) => readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')),
  );
  return readOfProcesses(
    [...own, ...children.flatMap((line) => line.split(' ').filter((pid) => pid !== ''))],
    'environ',
  );
}

export const readLogs = ({ api, workers }: Stack): string =>
  [api, ...workers].flatMap((program) => program.lines).join('\n');

/** Every row of every table, as a backup has it. Bytes are hexadecimal. */
export async function dumpTables({ pool }: Database, except: readonly string[] = []): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)`,
    [except],
  );
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      // The catalogue quotes the name.
      const { rows } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      return [name, ...rows.map(({ row }) => row)].join('\n');
    }),
  );
  return dumps.join('\n');
}

/** The ways in which a program may have written a text. */
export const writingsOf = (text: string): string[] => {
  const bytes = Buffer.from(text);
  const ways = [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1), bytes.toString('hex')];
  return [...new Set([...ways, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')])];
};
