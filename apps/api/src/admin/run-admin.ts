/** The admin command line. Its exit codes are 0 for done, 1 for failed and 2 for misused. */
import { InvalidSettings } from '@kurir/config';
import { isUnavailable } from '@kurir/database';
import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './commands/account-commands.js';
import { CommandError } from './terminal/command-error.js';
import { addDemoCommand } from './commands/demo.js';
import { addDeviceCommands } from './commands/device-commands.js';
import { addEraseCommands } from './commands/erase/erase-commands.js';
import { addKeyCommands } from './commands/key-commands.js';
import { addLedgerCommands } from './commands/ledger-commands.js';
import { addMasterKeyCommands } from './commands/master-key-commands.js';
import { addOperatorCommands } from './commands/operator-commands.js';
import { addPlanCommands } from './commands/plan-commands.js';
import { addGatewayCommands } from './commands/gateway-commands.js';
import { createRun, type Terminal } from './terminal/run-command.js';

const done = 0;
const failed = 1;
const misused = 2;

function createProgram(terminal: Terminal): Command {
  const program = new Command('admin');
  // Commands inherit this, so it comes before them. Commander then throws instead of ending the process.
  program.exitOverride().showHelpAfterError('(--help shows how)');
  program.configureOutput({
    writeOut: (text) => terminal.print(text.trimEnd()),
    writeErr: (text) => terminal.say(text.trimEnd()),
  });
  program.description(
    'Accounts, plans, money, keys and devices of Kurir. Reads DATABASE_URL, KURIR_MASTER_KEY, KURIR_SIMULATOR_URL.',
  );
  const run = createRun(terminal);
  const groups = [
    addAccountCommands,
    addPlanCommands,
    addOperatorCommands,
    addLedgerCommands,
    addKeyCommands,
    addDeviceCommands,
    addEraseCommands,
    addMasterKeyCommands,
    addGatewayCommands,
  ];
  for (const add of [...groups, addDemoCommand]) add(program, run);
  return program;
}

function explain(error: unknown): string {
  if (error instanceof CommandError || error instanceof InvalidSettings) return error.message;
  if (isUnavailable(error)) return 'The database does not answer. Check DATABASE_URL.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Resolves with the exit code; never rejects. */
export async function runAdmin(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return done;
  } catch (error) {
    // Commander has already printed the problem or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : misused;
    terminal.say(explain(error));
    return failed;
  }
}
