/** Runs the `kurir` command and returns its exit code. It never ends the process itself. */
import { Command, CommanderError } from 'commander';
import { KurirConnectionError, KurirError } from '../calls/errors.js';
import { addAccountCommands } from './account-commands.js';
import { addBridgeCommand } from './bridge-command.js';
import { addBroadcastCommands } from './broadcasts/broadcast-commands.js';
import { addCancelCommand } from './messages/cancel-command.js';
import { createBegin, type GlobalOptions, type Surroundings } from './terminal/cli.js';
import { addContactCommands } from './contacts/contact-commands.js';
import { addConversationCommands } from './conversation-commands.js';
import { addEventsCommand } from './events-command.js';
import { addDeviceCommands } from './devices/device-commands.js';
import { type ExitCode, exitCodeOf, exitCodes } from './terminal/exit-codes.js';
import { gather } from './terminal/gather.js';
import { harmless } from './terminal/layout.js';
import { addListCommand } from './messages/list-command.js';
import { addListenCommand } from './listen-command.js';
import { addPresenceCommand } from './messages/presence-command.js';
import { addRenewCommand } from './renew-command.js';
import { addSendCommand } from './messages/send-command.js';
import { addAuditCommands } from './account/audit-command.js';
import { addRequestsCommand } from './account/requests-command.js';
import { addSignCommand } from './sign-command.js';
import { addTemplateCommands } from './templates/template-commands.js';
import { addWebhookCommands } from './webhooks/webhook-commands.js';
import { addOptOutCommands } from './suppressions/opt-out-commands.js';
import { addSuppressionCommands } from './suppressions/suppression-commands.js';
import { addTextCommand } from './messages/text-command.js';
import { addStatusCommand } from './messages/status-command.js';

const help = `
Settings: KURIR_BASE_URL, KURIR_API_KEY, KURIR_API_SECRET and KURIR_DEVICE_ID. Without them kurir reads .kurir/dev.json
in this folder or a folder above it. "npm start" writes that file.

Exit codes: 0 done, 1 refused by the gateway, 2 wrong usage, 3 gateway not reachable, 4 the message did not reach the
wanted status.

Examples:
  $ kurir send 6281234567890 "Kode Anda 493021" --priority otp --wait
  $ kurir status msg_01kajp4m3s5y8zt0v6qk2c9hbe
  $ kurir send --bulk campaign.jsonl --priority bulk
  $ kurir account --json
`;

const commands = [
  addSendCommand,
  addStatusCommand,
  addTextCommand,
  addListCommand,
  addCancelCommand,
  addPresenceCommand,
  addAccountCommands,
  addRenewCommand,
  addDeviceCommands,
  addConversationCommands,
  addSuppressionCommands,
  addOptOutCommands,
  addContactCommands,
  addEventsCommand,
  addListenCommand,
  addBridgeCommand,
  addWebhookCommands,
  addTemplateCommands,
  addBroadcastCommands,
  addAuditCommands,
  addRequestsCommand,
  addSignCommand,
];

export async function runKurir(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, stderr } = surroundings;
  let exitCode: ExitCode = exitCodes.ok;
  const begin = createBegin(args, surroundings, (code) => {
    exitCode = code;
  });
  const program = new Command('kurir')
    .description('Send messages through a Kurir gateway and follow them.')
    .option('--json', 'print the answer of the API, or the error, as JSON')
    .option('--device <id>', 'use this device instead of the one in the settings; a broadcast takes several', gather)
    .version(surroundings.version)
    .addHelpText('after', help)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .showHelpAfterError('(kurir --help, or kurir <command> --help, shows how)')
    .exitOverride();
  for (const addCommand of commands) addCommand(program, begin);
  try {
    refuseHelpOfNothing(program, args);
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    const code = exitCodeOf(error);
    if (code === null || !(error instanceof Error)) throw error;
    // Commander has already printed this error.
    if (!(error instanceof CommanderError))
      stderr.write(`${describe(error, code, program.opts<GlobalOptions>().json === true)}\n`);
    return code;
  }
}

const helpFlags = ['--help', '-h'];

/** Commander would print the help of the command above, and end well, if there is no such command. */
function refuseHelpOfNothing(program: Command, args: readonly string[]): void {
  if (!args.some((arg) => helpFlags.includes(arg))) return;
  let command = program;
  for (const [i, word] of args.entries()) {
    // A word after an option of a command may be its value.
    if (word.startsWith('-') && command !== program) return;
    if (word.startsWith('-') || args[i - 1] === '--device') continue;
    if (command.commands.length === 0 || word === 'help') return;
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined)
      return command.error(`error: unknown command '${word}'`, { exitCode: exitCodes.wrongUsage });
    command = next;
  }
}

/** Codes of this program, where the gateway gave none. */
const ownCodes: Partial<Record<ExitCode, string>> = {
  [exitCodes.wrongUsage]: 'WRONG_USAGE',
  [exitCodes.notReachable]: 'GATEWAY_NOT_REACHABLE',
  [exitCodes.notReached]: 'STATUS_NOT_REACHED',
};

function describe(error: Error, code: ExitCode, json: boolean): string {
  const refusal =
    error instanceof KurirError ? { code: error.code, request_id: error.requestId } : { code: ownCodes[code] };
  if (json) return JSON.stringify({ success: false, ...refusal, error: error.message, exit_code: code });
  return [`kurir: ${harmless(error.message)}`, ...remarksOn(error)].join('\n  ');
}

function remarksOn(error: Error): string[] {
  if (error instanceof KurirError) {
    const facts = harmless(`${error.code}, status ${error.status}, request ${error.requestId}`);
    // This program signs rightly, so only the secret can be wrong.
    return error.code === 'INVALID_SIGNATURE'
      ? ['KURIR_API_SECRET is not the secret of the key KURIR_API_KEY. Check both in the settings.', facts]
      : [facts];
  }
  const nobodyThere = error instanceof KurirConnectionError && !error.mayHaveArrived;
  return nobodyThere ? ['Is the gateway running? "npm start" in the Kurir project starts a local one.'] : [];
}
