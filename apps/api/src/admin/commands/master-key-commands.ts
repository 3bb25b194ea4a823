/** The commands that change the master key while the gateway works. `docs/keys.md` has the steps. */
import { readMasterKeys, rewrapBoxes, twoFactorColumns } from '@kurir/database';
import type { Command } from 'commander';
import { deriveSignInSecrets } from '../../sign-in/sign-in-secret.js';
import { rewrapTwoFactorBox } from '../../sign-in/two-factor-boxes.js';
import { CommandError } from '../terminal/command-error.js';
import type { Admin, OutputOptions, Run } from '../terminal/run-command.js';
import type { Output } from '../terminal/show-rows.js';

async function list({ database, sealer }: Admin): Promise<Output> {
  const needed = await readMasterKeys(database);
  const ids = new Set([...sealer.keyIds, ...needed.map(({ id }) => id)]);
  return [...ids].map((id) => ({
    key: id,
    use: id === sealer.keyId ? 'seals and opens' : 'opens',
    needed_by_database: needed.some((key) => key.id === id),
    a_process_seals_with_it: needed.some((key) => key.id === id && key.isInUse),
  }));
}

async function rewrap({ database, sealer, masterKeys, say }: Admin): Promise<Output> {
  const secrets = deriveSignInSecrets(masterKeys);
  const result = await rewrapBoxes(database, sealer, {
    more: twoFactorColumns((box) => rewrapTwoFactorBox(box, secrets)),
    audit: { accountId: null, actor: 'admin', action: 'master_key.rewrapped' },
    say,
  });
  if (result.kind === 'lacks-keys')
    throw new CommandError(
      `Nothing was changed. KURIR_MASTER_KEY lacks keys that records need: ${result.keyIds.join(', ')}.`,
    );
  const others = sealer.keyIds.filter((id) => id !== sealer.keyId);
  if (result.unreadable.length > 0)
    say(`No key opens these records, so they stay as they are: ${result.unreadable.join(', ')}.`);
  if (result.inUse.length > 0)
    say(
      `A process still seals with ${result.inUse.join(', ')}. Restart it with the new key first, then run this again.`,
    );
  if (result.isDone && others.length > 0) say(`Every record is under ${sealer.keyId}. ${others.join(', ')} may go.`);
  return result.columns.map(({ column, boxes, rewrapped, unreadable }) => ({
    column,
    records: boxes,
    rewrapped,
    unreadable,
    key: sealer.keyId,
    old_keys_may_go: result.isDone,
  }));
}

export function addMasterKeyCommands(program: Command, run: Run): void {
  const masterKey = program.command('master-key').description('the key that seals secrets in the database');

  masterKey
    .command('list')
    .description('list the master keys by their ids, and which of them the database needs')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) => run(options, list));

  masterKey
    .command('rewrap')
    .description(
      'put every sealed record under the first key of KURIR_MASTER_KEY, while the gateway works. It may be broken off and run again',
    )
    .option('--json', 'print JSON')
    .action((options: OutputOptions) => run(options, rewrap));
}
