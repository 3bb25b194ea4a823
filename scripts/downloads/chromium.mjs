// Finds the browser for the tests of the dashboard. If there is none and we may install one, it installs Debian's.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { which } from './debian-packages.mjs';

const run = promisify(execFile);
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const INSTALL_LIMIT_MS = 300_000;

/** Returns `{path}` of a Chromium, or `{path: null, why}`. Without one those tests are skipped. */
export async function findChromium() {
  const own = process.env.KURIR_TEST_CHROMIUM;
  if (own) return existsSync(own) ? { path: own } : { path: null, why: `KURIR_TEST_CHROMIUM names no file: ${own}` };
  const there = onPath();
  if (there) return { path: there };
  if (!which('apt-get') || process.getuid?.() !== 0)
    return { path: null, why: 'no Chromium; install one, or set KURIR_TEST_CHROMIUM' };
  return installFromDebian();
}

const onPath = () => NAMES.map(which).find(Boolean) ?? (existsSync(MAC) ? MAC : undefined);

async function installFromDebian() {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: INSTALL_LIMIT_MS };
  const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
  try {
    await install().catch(async () => {
      await run('apt-get', ['update'], options);
      await install();
    });
    const path = onPath();
    return path ? { path } : { path: null, why: 'apt-get installed chromium, but it is not on the PATH' };
  } catch (error) {
    const [reason = ''] = String(error.stderr ?? error.message)
      .split('\n')
      .filter(Boolean)
      .slice(-1);
    return { path: null, why: `no Chromium, and apt-get could not install one: ${reason}` };
  }
}
