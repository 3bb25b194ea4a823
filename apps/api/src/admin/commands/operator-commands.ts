import { findPerson, setOperator } from '@kurir/database';
import type { Command } from 'commander';
import { CommandError } from '../terminal/command-error.js';
import { type Admin, type OutputOptions, type Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

async function change({ database }: Admin, email: string, isAdmin: boolean): Promise<Output> {
  const person = await findPerson(database, email);
  if (person === null)
    throw new CommandError(`Nobody signs in with ${email}. They sign up first, on the dashboard's pages.`);
  const action = isAdmin ? 'operator.made' : 'operator.ended';
  await setOperator(database, person.id, isAdmin, { accountId: null, actor: 'admin', action });
  return { user_id: person.id, email: person.email, operator: isAdmin };
}

/** The only way to become an operator. The dashboard has none. */
export function addOperatorCommands(program: Command, run: Run): void {
  const operator = program.command('operator').description('people who see all accounts in the dashboard');
  for (const [name, isAdmin, description] of [
    ['add', true, 'let a person see all accounts'],
    ['remove', false, 'stop letting a person see all accounts'],
  ] as const)
    operator
      .command(name)
      .description(description)
      .argument('<email>', 'the address with which the person signs in')
      .option('--json', 'print JSON')
      .action((email: string, options: OutputOptions) => run(options, (admin) => change(admin, email, isAdmin)));
}
