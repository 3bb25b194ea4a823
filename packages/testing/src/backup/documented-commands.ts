/** Runs commands as a page of docs has them. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const debianFolder = '/usr/lib/postgresql';

export const whyNoPostgresPrograms =
  'pg_basebackup is not installed: it comes with the package postgresql of Debian and Ubuntu';

/** Returns the folder of the newest installed Postgres with its server and its client programs, or null. */
export function findPostgresPrograms(): string | null {
  if (!existsSync(debianFolder)) return null;
  const versions = readdirSync(debianFolder).sort((a, b) => Number(b) - Number(a));
  const folders = versions.map((version) => join(debianFolder, version, 'bin'));
  return folders.find((bin) => ['postgres', 'pg_basebackup'].every((name) => existsSync(join(bin, name)))) ?? null;
}

/** Returns the blocks of commands under a heading, up to the next heading. `page` is a path like `docs/backup.md`. */
export function commandsUnder(page: string, heading: string): readonly string[] {
  const sections = readFileSync(join(root, page), 'utf8').split(/^#+ /m);
  const section = sections.find((text) => text.startsWith(`${heading}\n`));
  const blocks = [...(section ?? '').matchAll(/^```\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
  if (blocks.length === 0) throw new Error(`${page} has no commands under "${heading}"`);
  return blocks;
}

/** A moment as Postgres takes it for a recovery: it refuses the `T` and the `Z` of ISO 8601 there. Unix milliseconds. */
export const recoveryMoment = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '+00');

export type CommandSurroundings = {
  /** The folder of Postgres' programs. */
  readonly programs: string;
  /** The commands run as the owner of this folder. */
  readonly ownedLike: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Resolves with the output. Rejects if a command fails. */
export async function runCommands(
  commands: readonly string[],
  { programs, ownedLike, env }: CommandSurroundings,
): Promise<string> {
  const { uid, gid } = statSync(ownedLike);
  const { stdout } = await run('bash', ['--norc', '-e', '-u', '-o', 'pipefail', '-c', commands.join('')], {
    cwd: '/',
    env: { PATH: `${programs}:${process.env['PATH']}`, ...env },
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  });
  return stdout;
}
