import { createAccount, listAccounts } from '@kurir/database';
import type { Command } from 'commander';
import { parseName } from '../terminal/parse-options.js';
import { type OutputOptions, type Run } from '../terminal/run-command.js';

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
        return accounts.map(({ id, name, createdAt }) => ({
          account_id: id,
          name,
          created_at: createdAt.toISOString(),
        }));
      }),
    );
}
