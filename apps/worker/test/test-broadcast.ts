/** A broadcast that has begun. */
import { type BroadcastId, newId } from '@kurir/contracts';
import { addRecipients, closeList, createBroadcast, startBroadcast } from '@kurir/database/broadcasts';
import { expect } from 'vitest';
import type { AccountFixture, Customer } from './account-fixture.js';

/** Starts a broadcast of `Halo Budi N` to these phones. */
export async function startTestBroadcast(
  { database, accountKeys }: Pick<AccountFixture, 'database' | 'accountKeys'>,
  customer: Customer,
  { deviceIds, phones }: { readonly deviceIds: readonly string[]; readonly phones: readonly string[] },
): Promise<BroadcastId> {
  const { accountId } = customer;
  const text = { text: 'Halo {{nama|Kak}}', footer: null };
  const draft = { accountId, name: 'Promo', text, deviceIds, sendAt: null, createdBy: newId('usr') };
  const rules = { window: null, maxPerDay: null, guardFailed: null, guardOptedOut: null };
  const id = await createBroadcast(
    database,
    accountKeys,
    { ...draft, ...rules, category: 'marketing', pacePerMinute: null },
    undefined,
  );
  if (id === 'no-such-device' || id === 'upload-used') throw new Error(id);
  const rows = phones.map((phone, i) => ({ recipient: phone, written: phone, values: { nama: `Budi ${i}` } }));
  await addRecipients(database, accountKeys, { id, accountId }, 0, rows);
  await closeList(database, id);
  expect(await startBroadcast(database, { id, accountId }, true, undefined)).toEqual({ kind: 'done' });
  return id;
}
