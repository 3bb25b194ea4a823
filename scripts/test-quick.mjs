// `npm run test:quick [-- vitest's arguments]`: builds everything and runs the tests that need no server
// (test/quick-files.mjs selects them). The last line counts the tests, as with `npm test`.
import { fileURLToPath } from 'node:url';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';
import { PRODUCT, turbo } from './local/turbo.mjs';
import { endWith, runVitest, tellFailure } from './test/run-vitest.mjs';

const screen = openScreen();
const abort = new AbortController();

const USAGE = `Usage: npm run test:quick [-- filter ... vitest's flags]

Builds everything and runs the tests that need no Postgres, Redis, socket, other program or browser. With filters it
runs only those whose paths contain one of them. The last line counts: N passed, N failed. The exit code is 0 if none
failed.

A test file is quick if none of its imports, direct or indirect, can open a socket or start a program. There is no list:
a file that imports a test server runs only with npm test.
`;

async function main(args) {
  onStopRequest(() => abort.abort());
  try {
    await screen.step('build', () => turbo(['build'], { only: [...PRODUCT, 'e2e'], signal: abort.signal }));
    const config = fileURLToPath(new URL('test/vitest-quick.config.mjs', import.meta.url));
    return await runVitest(['--config', config, ...args], { signal: abort.signal, screen });
  } catch (error) {
    return tellFailure(screen, error);
  }
}

const args = process.argv.slice(2);
if (args.includes('--help')) process.stdout.write(USAGE);
else endWith(await main(args));
