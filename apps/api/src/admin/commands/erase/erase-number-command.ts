/** Runs `erase number`. Messages that are being sent end first; the command waits for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountId } from '@kurir/contracts';
import {
  countNumber,
  countSending,
  eraseNumber,
  findLinkedBy,
  type NumberCount,
  type NumberInAccounts,
} from '@kurir/database';
import { CommandError } from '../../terminal/command-error.js';
import { findAccount } from '../../terminal/find-named.js';
import type { Admin } from '../../terminal/run-command.js';
import type { Row } from '../../terminal/show-rows.js';
import { confirmErasure, type EraseOptions } from './confirm.js';

export type NumberOptions = EraseOptions & { readonly account?: string; readonly waitSeconds: number };

const pauseMs = 500;

async function waitForEnds({ database, say }: Admin, which: NumberInAccounts, waitSeconds: number): Promise<void> {
  const deadline = performance.now() + waitSeconds * 1_000;
  const chosen = { recipient: which.number, accountId: which.accountId };
  for (let told = 0; ; ) {
    const sending = await countSending(database, chosen);
    if (sending === 0) return;
    if (performance.now() > deadline)
      throw new CommandError(
        `${sending} messages to this number are still being sent. Everything else is erased. Run the command again later; they end at the latest when their device is unlinked.`,
      );
    if (sending !== told) say(`Waiting for ${sending} messages that are being sent.`);
    told = sending;
    await sleep(pauseMs);
  }
}

const rowOf = ({
  messages,
  inbound,
  savedContacts,
  contacts,
  devices,
  credentials,
  mails,
}: NumberCount): Row & Record<string, number> => ({
  messages,
  inbound_messages: inbound,
  saved_contacts: savedContacts,
  contacts,
  device_numbers: devices,
  device_rows: credentials,
  kept_mails: mails,
});

export async function eraseNumberCommand(admin: Admin, number: string, options: NumberOptions): Promise<Row> {
  const { database, sealer, say } = admin;
  const accountId: AccountId | null =
    options.account === undefined ? null : await findAccount(database, options.account);
  const which = { number, accountId };
  const linked = await findLinkedBy(database, which);
  if (linked.length > 0)
    throw new CommandError(`A device is linked with this number. Unlink it first: device unlink ${linked.join(', ')}`);
  const counted = await countNumber(database, sealer, which);
  const total = Object.values(counted).reduce((sum, count) => sum + count, 0);
  if (total === 0) return rowOf(counted);
  await confirmErasure(admin, rowOf(counted), options);
  const audit = { accountId, actor: 'admin', action: 'number.erased' } as const;
  const onProgress = (messages: number) => say(`${messages} of ${counted.messages} messages erased.`);
  const first = await eraseNumber(database, sealer, which, { audit, onProgress });
  if (first.sending === 0) return rowOf(first);
  await waitForEnds(admin, which, options.waitSeconds);
  const rest = await eraseNumber(database, sealer, which);
  return rowOf({
    sending: 0,
    messages: first.messages + rest.messages,
    contacts: first.contacts + rest.contacts,
    devices: first.devices + rest.devices,
    credentials: first.credentials + rest.credentials,
    mails: first.mails + rest.mails,
    inbound: first.inbound + rest.inbound,
    savedContacts: first.savedContacts + rest.savedContacts,
  });
}
