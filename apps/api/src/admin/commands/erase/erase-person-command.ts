/** Runs `erase person`: everything about one address. */
import { countPerson, erasePerson, type Orphan } from '@kurir/database';
import { CommandError } from '../../terminal/command-error.js';
import type { Admin } from '../../terminal/run-command.js';
import type { Row } from '../../terminal/show-rows.js';
import { confirmErasure, type EraseOptions } from './confirm.js';
import { finishErasure } from './erase-account-command.js';

export type PersonOptions = EraseOptions & { readonly waitSeconds: number };

const lastOwner = (accounts: readonly Orphan[]) =>
  new CommandError(
    `This person is the last owner of ${accounts.map(({ accountId, name }) => `${accountId} (${name})`).join(', ')}. Make another member owner, on the dashboard's page of members, or erase the account first: erase account ${accounts[0]?.accountId}`,
  );

export async function erasePersonCommand(admin: Admin, email: string, options: PersonOptions): Promise<Row> {
  const { database } = admin;
  const counted = await countPerson(database, email);
  const shown: Row & Record<string, number> = {
    people: counted.person,
    memberships: counted.memberships,
    sessions: counted.sessions,
    passkeys: counted.passkeys,
    invitations: counted.invitations,
    kept_mails: counted.mails,
  };
  if (Object.values(counted).every((count) => count === 0)) return { ...shown, accounts: [] };
  await confirmErasure(admin, shown, options);
  const erasure = await erasePerson(database, email, { actor: 'admin' });
  if (erasure.kind === 'last-owner') throw lastOwner(erasure.accounts);
  for (const accountId of erasure.accounts) await finishErasure(admin, accountId, options);
  return { ...shown, accounts: erasure.accounts };
}
