// Programs from the packages of Debian or Ubuntu, unpacked into a folder. That needs no root and installs nothing.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The path of a program on the PATH, or null. */
export function which(name) {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, file)).find((path) => existsSync(path)) ?? null;
}

/**
 * Unpacks the packages into `folder`, unless `program` stands there already. Returns the program's path, or null if
 * there is no apt, no network or no such package.
 */
export async function unpackedFromDebian(folder, { packages, program }) {
  const path = join(folder, program);
  if (existsSync(path)) return path;
  if (!which('apt-get') || !which('dpkg')) return null;
  await unpack(folder, packages).catch(() => undefined);
  return existsSync(path) ? path : null;
}

/** Runs apt with its own folders, so that it changes nothing of the system and needs no rights. */
async function unpack(folder, packages) {
  const work = `${folder}.${process.pid}`;
  const apt = join(work, 'apt');
  for (const part of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, part), { recursive: true });
  const settings = [
    `Dir::State=${apt}/state`,
    `Dir::Cache=${apt}/cache`,
    'Dir::State::status=/var/lib/dpkg/status',
    'APT::Sandbox::User=',
    'Acquire::http::Timeout=15',
    'Acquire::Retries=1',
  ].flatMap((setting) => ['-o', setting]);
  try {
    await run('apt-get', ['-qq', ...settings, 'update'], { cwd: work });
    await run('apt-get', ['-qq', ...settings, 'download', ...packages], { cwd: work });
    for (const file of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg', ['-x', file, 'unpacked'], { cwd: work });
    }
    if (!existsSync(folder)) renameSync(join(work, 'unpacked'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
