// `npm test [-- vitest's arguments]`: starts the servers for the tests (servers/throwaway.mjs), runs vitest for the
// whole workspace, and stops the servers. The last line counts the tests.
import { join } from 'node:path';
import { findChromium } from './downloads/chromium.mjs';
import { findPrometheus } from './downloads/prometheus.mjs';
import { defaultStateDir, makeStateDir } from './local/paths.mjs';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { openThrowaway } from './servers/throwaway.mjs';
import { PRODUCT } from './local/turbo.mjs';
import { endWith, runVitest, tellFailure } from './test/run-vitest.mjs';

const screen = openScreen();
const abort = new AbortController();

const USAGE = `Usage: npm test [-- filter ... vitest's flags]

Builds everything, starts its own Postgres and Redis, and runs all tests. With filters it runs only the files whose
paths contain one of them. The last line counts: N passed, N failed. The exit code is 0 if none failed.

  npm test -- packages/database     one package
  npm test -- accept-messages       one file
  npm test -- -t 'a name'           tests by name
  npm run test:quick                only tests that need no server
  npm run test:nodes                all tests on each version of Node

With KURIR_TEST_PICTURES=1, the tests in the browser save pictures of the pages in e2e/screenshots.
`;

const FILTER = /^[^-]/;

/** Few tests use a browser. So a run with other filters does not wait for the installation of one. */
async function browserSettings(args) {
  const filters = args.filter((arg) => FILTER.test(arg));
  if (filters.length > 0 && !filters.some((filter) => /dashboard|e2e|browser|mail/.test(filter))) return {};
  let found = { path: null };
  await screen.step('browser', async () => {
    found = await findChromium();
  });
  if (found.path === null) screen.warn(`The dashboard is not tested in a browser: ${found.why}.`);
  return found.path === null ? { KURIR_TEST_NO_CHROMIUM: found.why } : { KURIR_TEST_CHROMIUM: found.path };
}

/** Only the tests of alerts and dashboards use it. */
async function prometheusSettings(args) {
  const filters = args.filter((arg) => FILTER.test(arg));
  if (filters.length > 0 && !filters.some((filter) => /e2e|observe|alerts|dashboards/.test(filter))) return {};
  let folder = null;
  await screen.step('prometheus', async () => {
    folder = await findPrometheus(join(makeStateDir(defaultStateDir), 'cache'));
  });
  if (folder === null) screen.warn('Alerts and dashboards are not tested: no Prometheus was found.');
  return folder === null ? {} : { KURIR_TEST_PROMETHEUS: folder };
}

async function main(args) {
  const throwaway = openThrowaway({ screen, signal: abort.signal, only: [...PRODUCT, 'e2e'] });
  onStopRequest(
    () => abort.abort(),
    () => throwaway.kill(),
  );
  try {
    const [settings, browser, prometheus] = await Promise.all([
      throwaway.settings,
      browserSettings(args),
      prometheusSettings(args),
    ]);
    const all = { ...settings, ...browser, ...prometheus };
    return await runVitest(args, { settings: all, signal: abort.signal, screen });
  } catch (error) {
    return tellFailure(screen, error);
  } finally {
    await throwaway.stop();
  }
}

const args = process.argv.slice(2);
if (args.includes('--help')) process.stdout.write(USAGE);
else endWith(await main(args));
