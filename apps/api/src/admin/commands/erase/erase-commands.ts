/** The commands that answer a request for erasure. Each may be broken off and run again. */
import type { Command } from 'commander';
import { parsePhone, parsePositive } from '../../terminal/parse-options.js';
import type { Run } from '../../terminal/run-command.js';
import { type AccountOptions, eraseAccountCommand } from './erase-account-command.js';
import { eraseNumberCommand, type NumberOptions } from './erase-number-command.js';
import { erasePersonCommand, type PersonOptions } from './erase-person-command.js';

const defaultWaitSeconds = 180;

const withCommonOptions = (command: Command): Command =>
  command
    .option('--yes', 'do not ask')
    .option('--wait-seconds <seconds>', 'how long to wait for workers', parsePositive, defaultWaitSeconds)
    .option('--json', 'print JSON');

export function addEraseCommands(program: Command, run: Run): void {
  const erase = program
    .command('erase')
    .description('erase a number, a person or an account for good; see docs/data-protection.md');

  withCommonOptions(
    erase
      .command('number')
      .description('erase a phone number: its messages, contacts, and the devices that had it')
      .argument('<number>', 'digits with country code', parsePhone)
      .option('--account <account>', 'only in this account, by id or name'),
  ).action((number: string, options: NumberOptions) =>
    run(options, (admin) => eraseNumberCommand(admin, number, options)),
  );

  withCommonOptions(
    erase
      .command('person')
      .description('erase a person who signs in, and invitations to the address')
      .argument('<address>', 'the mail address'),
  ).action((address: string, options: PersonOptions) =>
    run(options, (admin) => erasePersonCommand(admin, address, options)),
  );

  withCommonOptions(
    erase
      .command('account')
      .description('log out the devices of an account and erase it; only what the books need stays')
      .argument('<account>', 'id')
      .option('--force', 'erase devices that no worker logs out; the network then still lists them'),
  ).action((id: string, options: AccountOptions) => run(options, (admin) => eraseAccountCommand(admin, id, options)));
}
