// Fetches a package that is not a dependency from the npm registry and keeps it in a folder.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const WITHIN_MS = 300_000;
/** The codes of npm for a missing name, a missing version and a package of another platform. */
const NO_SUCH_PACKAGE = ['E404', 'ETARGET', 'EBADPLATFORM'];

/** The registry answered and has no such package for this platform. */
export class NoSuchPackage extends Error {
  constructor(spec, options) {
    super(`The npm registry has no package ${spec} for this platform.`, options);
    this.name = 'NoSuchPackage';
  }
}

/**
 * Resolves with the folder of the package below `cacheDir`. No install script runs. Rejects with `NoSuchPackage`, or
 * with an error with npm's code if the registry cannot be reached. Two runs at the same time do not disturb each other.
 */
export async function fetchPackage({ name, version, cacheDir }) {
  const folder = join(cacheDir, 'npm', `${name.replace('/', '+')}@${version}`);
  const unpacked = join(folder, 'node_modules', name);
  if (!existsSync(unpacked)) await install(`${name}@${version}`, folder);
  return unpacked;
}

async function install(spec, folder) {
  const half = `${folder}.${process.pid}`;
  mkdirSync(half, { recursive: true });
  try {
    await npmInstall(spec, half);
    if (!existsSync(folder)) renameSync(half, folder);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

async function npmInstall(spec, folder) {
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit'];
  args.push('--no-fund', '--prefer-offline', '--loglevel=error', '--json', spec);
  // npm names its own script here. On Windows npm is a script that only a shell finds.
  const npm = process.env.npm_execpath;
  const [file, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const shell = file === 'npm' && process.platform === 'win32';
  try {
    await run(file, [...first, ...args], { cwd: dirname(folder), shell, timeout: WITHIN_MS });
  } catch (error) {
    const code = npmCode(error.stdout) ?? error.code;
    if (NO_SUCH_PACKAGE.includes(code)) throw new NoSuchPackage(spec, { cause: error });
    throw new Error(`npm could not fetch ${spec} (${code}). It is fetched once and kept; is the registry reachable?`, {
      cause: error,
    });
  }
}

/** Returns the error code of `npm --json`. Null if npm printed none. */
export function npmCode(stdout) {
  try {
    return JSON.parse(stdout).error?.code ?? null;
  } catch {
    return null; // npm was killed or does not exist
  }
}
