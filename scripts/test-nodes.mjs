// `npm run test:nodes [-- flags] [-- arguments of npm test]`: runs the tests on each further version of Node that Kurir
// supports. It fetches a missing version from npm. At the end it prints one line for each version.
import { delimiter, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { askToStop, nodeCommand, readLines, spawnCommand } from './local/commands.mjs';
import { findNode, NODE_VERSIONS } from './downloads/node-versions.mjs';
import { fromRoot } from './local/paths.mjs';
import { openScreen } from './local/screen.mjs';
import { onStopRequest } from './local/stop-signals.mjs';

const DEFAULT = ['22', '24'];

const USAGE = `Usage: npm run test:nodes [-- --node 22] [-- filter ... vitest's flags]

Runs npm test on each version of Node, one after the other: ${DEFAULT.map((major) => NODE_VERSIONS[major]).join(' and ')}.
A version is fetched from npm once and kept below .kurir/cache. Filters and flags of vitest go to npm test.

  --node MAJOR   only this version; repeat it for several. The versions are ${Object.keys(NODE_VERSIONS).join(', ')}
  --help         print this text

The last lines count the passed and failed tests of each version. The exit code is 0 if none failed on any version.
`;

const screen = openScreen();
const abort = new AbortController();

/** Our own flags come first. From the first other argument on, all arguments are for `npm test`. */
function parseArguments(args) {
  const own = [];
  const rest = [...args];
  while (/^--(node|help)\b/.test(rest[0] ?? '')) {
    const flag = rest.shift();
    own.push(flag);
    if (flag === '--node' && rest.length > 0) own.push(rest.shift());
  }
  const options = { node: { type: 'string', multiple: true }, help: { type: 'boolean', default: false } };
  const { values } = parseArgs({ args: own, options });
  const majors = values.node ?? DEFAULT;
  const unknown = majors.find((major) => !(major in NODE_VERSIONS));
  if (unknown !== undefined)
    throw new Error(`There is no Node ${unknown} here; choose from ${Object.keys(NODE_VERSIONS).join(', ')}.`);
  return { help: values.help, majors, rest: rest[0] === '--' ? rest.slice(1) : rest };
}

/** Resolves with whether all tests passed, and with the line of `npm test` that counts them. */
async function testOn(node, args) {
  const command = nodeCommand(fromRoot('scripts/test.mjs'), args, {
    PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
  });
  const child = spawnCommand({ ...command, file: node });
  const stop = () => askToStop(child);
  abort.signal.addEventListener('abort', stop, { once: true });
  let last = 'it ended before it counted';
  readLines(child, (line) => {
    screen.say(line);
    if (/^\d+ passed, \d+ failed$/.test(line)) last = line;
  });
  const code = await new Promise((resolve) => child.once('close', (exitCode) => resolve(exitCode ?? 1)));
  abort.signal.removeEventListener('abort', stop);
  return { ok: code === 0, line: last };
}

/** Never rejects, so that the other versions are still tested. */
async function testVersion(major, args) {
  const since = performance.now();
  try {
    let node;
    await screen.step(`node ${major}`, async () => {
      node = await findNode(major);
      return NODE_VERSIONS[major];
    });
    const result = await testOn(node, args);
    return { ...result, minutes: (performance.now() - since) / 60_000 };
  } catch (error) {
    return { ok: false, line: error.message, minutes: (performance.now() - since) / 60_000 };
  }
}

async function main() {
  const { help, majors, rest } = parseArguments(process.argv.slice(2));
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  onStopRequest(() => abort.abort());
  const results = [];
  for (const major of majors) {
    if (abort.signal.aborted) break;
    results.push({ major, ...(await testVersion(major, rest)) });
  }
  screen.say('');
  for (const { major, ok, line, minutes } of results) {
    const mark = screen.paint(ok ? 'green' : 'red', ok ? '✔' : '✘');
    screen.say(`${mark} Node ${NODE_VERSIONS[major]}: ${line} (${minutes.toFixed(1)} min)`);
  }
  return abort.signal.aborted ? 130 : results.every(({ ok }) => ok) ? 0 : 1;
}

try {
  process.exit(await main());
} catch (error) {
  screen.fail(`${error.message}\n\n${USAGE}`);
  process.exit(2);
}
