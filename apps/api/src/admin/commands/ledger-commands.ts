import { listLedger } from '@kurir/database';
import type { Command } from 'commander';
import { findAccount } from '../terminal/find-named.js';
import { type Admin, type OutputOptions, type Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

type ListOptions = OutputOptions & { readonly unbought?: boolean };

async function list({ database }: Admin, account: string | undefined, options: ListOptions): Promise<Output> {
  const accountId = account === undefined ? null : await findAccount(database, account);
  const entries = await listLedger(database, { accountId, unboughtOnly: options.unbought === true });
  return entries.map((entry) => ({
    at: entry.at.toISOString(),
    account_id: entry.accountId,
    renewal_id: entry.renewalId,
    kind: entry.kind,
    amount: entry.amountRupiah,
    provider: entry.provider,
    payment_id: entry.providerPayment,
    bought: entry.bought,
    returned: entry.kind === 'payment' && entry.returned,
  }));
}

export function addLedgerCommands(program: Command, run: Run): void {
  const ledger = program.command('ledger').description('payments and refunds');

  ledger
    .command('list')
    .description('list the newest entries of one account or of all accounts')
    .argument('[account]', 'id or name')
    .option('--unbought', 'only payments that bought nothing and should be refunded')
    .option('--json', 'print JSON')
    .action((account: string | undefined, options: ListOptions) =>
      run(options, (admin) => list(admin, account, options)),
    );
}
