import { createAccount, listAccounts } from '@kurir/database';
import { resumeAccount, suspendAccount } from '@kurir/database/operators';
import type { Command } from 'commander';
import { CommandError } from '../terminal/command-error.js';
import { findAccount } from '../terminal/find-named.js';
import { parseName, parseReason } from '../terminal/parse-options.js';
import { type Admin, type OutputOptions, type Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

async function suspend({ database }: Admin, name: string, reason: string): Promise<Output> {
  const accountId = await findAccount(database, name);
  if (!(await suspendAccount(database, accountId, reason, { accountId, actor: 'admin', action: 'account.suspended' })))
    throw new CommandError(`The account ${accountId} is being erased.`);
  return { account_id: accountId, suspended: true, reason };
}

async function resume({ database }: Admin, name: string): Promise<Output> {
  const accountId = await findAccount(database, name);
  if (!(await resumeAccount(database, accountId, { accountId, actor: 'admin', action: 'account.resumed' })))
    throw new CommandError(`The account ${accountId} is not suspended. See: account list`);
  return { account_id: accountId, suspended: false };
}

export function addAccountCommands(program: Command, run: Run): void {
  const account = program.command('account').description('customers');

  account
    .command('create')
    .description('create an account')
    .argument('<name>', 'the name', parseName)
    .option('--json', 'print JSON')
    .action((name: string, options: OutputOptions) =>
      run(options, async ({ database }) => {
        const accountId = await createAccount(database, name, { actor: 'admin', action: 'account.created' });
        return { account_id: accountId, name };
      }),
    );

  account
    .command('list')
    .description('list all accounts')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      run(options, async ({ database }) => {
        const accounts = await listAccounts(database);
        return accounts.map(({ id, name, createdAt, suspendedAt }) => ({
          account_id: id,
          name,
          created_at: createdAt.toISOString(),
          suspended_at: suspendedAt?.toISOString() ?? null,
        }));
      }),
    );

  account
    .command('suspend')
    .description('refuse the keys of an account and disconnect its devices; its messages wait')
    .argument('<account>', 'its id or name')
    .requiredOption('--reason <text>', 'a sentence that the members of the account read', parseReason)
    .option('--json', 'print JSON')
    .action((name: string, { reason, ...options }: OutputOptions & { reason: string }) =>
      run(options, (admin) => suspend(admin, name, reason)),
    );

  account
    .command('resume')
    .description('end the suspension of an account; its devices connect again')
    .argument('<account>', 'its id or name')
    .option('--json', 'print JSON')
    .action((name: string, options: OutputOptions) => run(options, (admin) => resume(admin, name)));
}
