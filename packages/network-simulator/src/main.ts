#!/usr/bin/env node
/**
 * The simulator as a process. It starts, prints its address, and on SIGTERM or SIGINT writes the rest of the journal.
 */
import { parseCommandLine, USAGE } from './command-line.js';
import { startSimulator } from './simulator.js';

const command = parseCommandLine(process.argv.slice(2));
if (command.kind === 'help') {
  process.stdout.write(USAGE);
} else if (command.kind === 'wrong') {
  process.stderr.write(`${command.problem}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const simulator = await startSimulator(command.options);
  process.stdout.write(`${JSON.stringify({ listening: simulator.url })}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void simulator.close());
  }
}
