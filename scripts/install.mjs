// Runs before `npm start`, `npm test` and `npm run verify`. It checks Node and installs the dependencies if they differ
// from package-lock.json. It uses only Node itself, because a fresh clone has nothing else.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 19];
/** Older ones get no security fixes any more. */
const OLDEST_SUPPORTED_MAJOR = 22;
const STILL_MS = 10_000;

export function isNodeTooOld(version) {
  const [major, minor] = version.split('.').map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

export const isNodeUnsupported = (version) => Number(version.split('.')[0]) < OLDEST_SUPPORTED_MAJOR;

/** The hash depends on the lockfile and on the platform, because some dependencies are binaries. */
export function installHash(lockfile, platform = process.platform, arch = process.arch) {
  return createHash('sha256').update(lockfile).update(`\0${platform} ${arch}`).digest('hex');
}

/** Whether the packages in npm's own list are those of the lockfile, as after an `npm install` by hand. */
export function isInstalled(lockfile, installed, { platform = process.platform, arch = process.arch } = {}) {
  const have = installed.packages ?? {};
  return Object.entries(lockfile.packages).every(([path, wanted]) => {
    const found = have[path];
    if (!path.includes('node_modules/')) return sameCommands(wanted, found); // a workspace
    if (found) return found.version === wanted.version && found.integrity === wanted.integrity;
    return wanted.optional === true && !isMadeFor(wanted, platform, arch);
  });
}

const sameCommands = (wanted, found) => JSON.stringify(wanted.bin) === JSON.stringify(found?.bin);

/**
 * npm may leave out an optional package for many reasons, but must install one that is made for exactly this platform.
 */
const isMadeFor = ({ os, cpu, libc }, platform, arch) => os?.includes(platform) && cpu?.includes(arch) && !libc;

function needsInstall({ root, hash, lockfile, stamp }) {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
  const noted = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(noted)) return true;
  return !isInstalled(JSON.parse(lockfile), JSON.parse(readFileSync(noted, 'utf8')));
}

/** Runs `npm ci` with all dependencies: build tools are dev dependencies, and their binaries are optional ones. */
function npmCi(root) {
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
  ];
  // npm names its own script here. On Windows npm is a script that only a shell finds.
  const npm = process.env.npm_execpath;
  const [file, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(file, [...first, ...args], {
    cwd: root,
    stdio: 'inherit',
    shell: file === 'npm' && process.platform === 'win32',
    env: { ...process.env, NODE_ENV: 'development' },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function install(root) {
  const since = performance.now();
  const seconds = () => ((performance.now() - since) / 1000).toFixed(0);
  console.log('Installing the dependencies (npm ci, some 20 s the first time) …');
  const timer = setInterval(() => console.log(`  … still installing (${seconds()} s)`), STILL_MS);
  const code = await npmCi(root);
  clearInterval(timer);
  if (code === 0) console.log(`Installed in ${seconds()} s`);
  else console.error('npm ci failed; its message is above.');
  return code;
}

async function main() {
  const version = process.versions.node;
  if (isNodeTooOld(version)) {
    console.error(`Kurir needs Node ${OLDEST_NODE.join('.')} or newer; this is ${version}. See https://nodejs.org`);
    return 1;
  }
  const root = fileURLToPath(new URL('..', import.meta.url));
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  const stamp = join(root, 'node_modules/.installed');
  const hash = installHash(lockfile);
  if (needsInstall({ root, hash, lockfile, stamp })) {
    const code = await install(root);
    if (code !== 0) return code;
  }
  writeFileSync(stamp, hash);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
