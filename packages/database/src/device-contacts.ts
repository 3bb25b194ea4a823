/**
 * Whom a device knows: who was written to, and who wrote. Only the first time of each counts, so writing it again
 * changes nothing.
 */
import type { DeviceId } from '@kurir/contracts';
import { againAfterDeadlock, type Database, isUnavailable } from './connect.js';
import { createGroupCommit, type GroupCommit } from './group-commit.js';

export type Contact = {
  readonly deviceId: DeviceId;
  /** Digits with country code. */
  readonly recipient: string;
  readonly direction: 'wrote' | 'heard';
};

async function noteContacts(database: Database, contacts: readonly Contact[]): Promise<void[]> {
  const statement = {
    name: 'note-contacts',
    // In one order everywhere: two batches may meet the same contacts.
    text: `INSERT INTO device_contacts AS known (device_id, recipient, wrote_at, heard_at)
           SELECT device_id, recipient, CASE WHEN bool_or(wrote) THEN now() END, CASE WHEN bool_or(NOT wrote) THEN now() END
           FROM unnest($1::text[], $2::text[], $3::boolean[]) AS t (device_id, recipient, wrote)
           GROUP BY device_id, recipient ORDER BY device_id, recipient
           ON CONFLICT (device_id, recipient) DO UPDATE
             SET wrote_at = coalesce(known.wrote_at, excluded.wrote_at), heard_at = coalesce(known.heard_at, excluded.heard_at)
             WHERE (known.wrote_at IS NULL AND excluded.wrote_at IS NOT NULL)
                OR (known.heard_at IS NULL AND excluded.heard_at IS NOT NULL)`,
    values: [
      contacts.map((contact) => contact.deviceId),
      contacts.map((contact) => contact.recipient),
      contacts.map((contact) => contact.direction === 'wrote'),
    ],
  };
  await againAfterDeadlock(() => database.pool.query(statement));
  return contacts.map(() => undefined);
}

/** Contacts of many devices in one statement; `submit` resolves when its own is committed. */
export function createContactWriter(database: Database): GroupCommit<Contact, void> {
  return createGroupCommit({
    maxItems: 256,
    writers: 1,
    maxWaiting: 100_000,
    commit: (contacts: readonly Contact[]) => noteContacts(database, contacts),
    isItemFault: (error) => !isUnavailable(error),
  });
}
