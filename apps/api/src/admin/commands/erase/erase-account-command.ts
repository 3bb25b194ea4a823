/** Runs `erase account`: shuts everybody out, waits until its devices are logged out, and erases the rest. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountId } from '@kurir/contracts';
import {
  type AccountLeft,
  beginAccountErasure,
  continueAccountErasure,
  countAccount,
  readErasureState,
} from '@kurir/database';
import { CommandError } from '../../terminal/command-error.js';
import type { Admin } from '../../terminal/run-command.js';
import type { Row } from '../../terminal/show-rows.js';
import { confirmErasure, type EraseOptions } from './confirm.js';

export type AccountOptions = EraseOptions & { readonly force?: boolean; readonly waitSeconds: number };

const pauseMs = 500;

function progressOf({ linked, ending }: AccountLeft): string {
  if (linked > 0) return `Waiting for a worker to log out ${linked} devices.`;
  if (ending > 0) return `Waiting for the last messages of ${ending} devices.`;
  return 'Waiting until every api has forgotten the keys of the account.';
}

const notInTime = ({ linked }: AccountLeft, waitSeconds: number) =>
  new CommandError(
    linked === 0
      ? `The account was not erased within ${waitSeconds} s. The workers go on with it. Run the command again to see its end.`
      : `${linked} devices are still linked after ${waitSeconds} s. Nobody can use the account any more, and the workers go on with it. Is a worker running? With --force, the command erases the devices without logging them out.`,
  );

/** Resolves when the account is erased. */
export async function finishErasure(
  { database, say }: Admin,
  accountId: AccountId,
  { force = false, waitSeconds }: Pick<AccountOptions, 'force' | 'waitSeconds'>,
): Promise<void> {
  const deadline = performance.now() + waitSeconds * 1_000;
  for (let told = ''; ; ) {
    const left = await continueAccountErasure(database, accountId, { force });
    if (left.done) return;
    if (performance.now() > deadline) throw notInTime(left, waitSeconds);
    const progress = progressOf(left);
    if (progress !== told) say(progress);
    told = progress;
    await sleep(pauseMs);
  }
}

export async function eraseAccountCommand(admin: Admin, id: string, options: AccountOptions): Promise<Row> {
  const { database } = admin;
  const state = await readErasureState(database, id);
  if (state === 'none') throw new CommandError(`There is no account ${id}. Give its id. See: account list`);
  // readErasureState found this id among the accounts.
  const accountId = id as AccountId;
  if (state === 'stands') {
    await confirmErasure(admin, await countAccount(database, accountId), options);
    await beginAccountErasure(database, accountId, { accountId, actor: 'admin', action: 'account.erased' });
  }
  if (state !== 'erased') await finishErasure(admin, accountId, options);
  return { account_id: accountId, state: 'erased' };
}
