// `npm start`: starts everything that Kurir needs on this machine. See start/launch.mjs.
import { AlreadyRunning } from './state/running.mjs';
import { defaultStateDir } from './local/paths.mjs';
import { isNodeUnsupported } from './install.mjs';
import { openScreen } from './local/screen.mjs';
import { launch } from './start/launch.mjs';
import { HELP, parseFlags, UsageError } from './start/options.mjs';
import { realStages } from './start/stages.mjs';

async function main() {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) {
    console.log(HELP);
    return 0;
  }
  const screen = openScreen();
  const { node } = process.versions;
  if (isNodeUnsupported(node)) screen.warn(`Node ${node} gets no security fixes any more. Use Node 22 or 24.`);
  return launch({ stateDir: defaultStateDir, env: process.env, flags, screen, stages: realStages });
}

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof UsageError || error instanceof AlreadyRunning ? error.message : error);
  process.exit(1);
}
