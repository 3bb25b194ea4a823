/**
 * The contacts of a device: people whom it wrote to or heard from. Only the first time counts for the limits, so writing a
 * contact again changes nothing but the day on which it was seen. Each new contact starts a pause. Until it ends, only codes go to further new contacts.
 */
import type { DeviceId } from '@kurir/contracts';
import { againAfterDeadlock, type Database } from '../postgres/connect.js';
import { isUnavailable } from '../postgres/connections/unavailable.js';
import { createGroupCommit, type GroupCommit } from '../postgres/group-commit.js';

export type Contact = {
  readonly deviceId: DeviceId;
  /** Digits with country code. */
  readonly recipient: string;
  readonly direction: 'wrote' | 'heard';
};

const pause = { leastMs: 20_000, mostMs: 60_000 } as const;

/** `random` returns a number from 0 to 1 for the length of each pause. */
export function contactsStatement(contacts: readonly Contact[], random: () => number = Math.random) {
  return {
    name: 'note-contacts',
    // The order is the same everywhere, because two batches may contain the same contacts. If one batch contains both
    // directions of a contact, that person was new when the message was claimed, so `heard_at` comes after `wrote_at`.
    text: `WITH noted AS (
           INSERT INTO device_contacts AS known (device_id, recipient, wrote_at, heard_at)
           SELECT device_id, recipient, CASE WHEN bool_or(wrote) THEN now() END, CASE WHEN bool_or(NOT wrote) THEN now() + CASE WHEN bool_or(wrote) THEN interval '1 millisecond' ELSE interval '0' END END
           FROM unnest($1::text[], $2::text[], $3::boolean[]) AS t (device_id, recipient, wrote)
           GROUP BY device_id, recipient ORDER BY device_id, recipient
           ON CONFLICT (device_id, recipient) DO UPDATE
             SET wrote_at = coalesce(known.wrote_at, excluded.wrote_at), heard_at = coalesce(known.heard_at, excluded.heard_at), seen_at = now()
             WHERE (known.wrote_at IS NULL AND excluded.wrote_at IS NOT NULL)
                OR (known.heard_at IS NULL AND excluded.heard_at IS NOT NULL)
                OR known.seen_at < now() - interval '1 day'
           RETURNING device_id, wrote_at, heard_at)
           INSERT INTO device_health AS h (device_id, next_new_contact_at)
           SELECT d.id, now() + (SELECT max(pause_ms) FROM unnest($1::text[], $4::float8[]) AS t (device_id, pause_ms) WHERE device_id = d.id)
             * interval '1 millisecond'
           FROM devices d WHERE d.new_contacts_automatic AND d.id IN (
             SELECT device_id FROM noted WHERE wrote_at = now()::timestamptz(3) AND (heard_at IS NULL OR heard_at > wrote_at))
           ORDER BY d.id
           ON CONFLICT (device_id) DO UPDATE SET next_new_contact_at = excluded.next_new_contact_at`,
    values: [
      contacts.map((contact) => contact.deviceId),
      contacts.map((contact) => contact.recipient),
      contacts.map((contact) => contact.direction === 'wrote'),
      contacts.map(() => pause.leastMs + random() * (pause.mostMs - pause.leastMs)),
    ],
  };
}

/** `random` is that of `contactsStatement`. */
export async function noteContacts(
  database: Database,
  contacts: readonly Contact[],
  random?: () => number,
): Promise<void[]> {
  await againAfterDeadlock(() => database.pool.query(contactsStatement(contacts, random)));
  return contacts.map(() => undefined);
}

/**
 * Writes contacts of many devices in one statement. `submit` resolves after the commit. `random` is that of
 * `noteContacts`.
 */
export function createContactWriter(database: Database, random?: () => number): GroupCommit<Contact, void> {
  return createGroupCommit({
    maxItems: 256,
    writers: 1,
    maxWaiting: 100_000,
    commit: (contacts: readonly Contact[]) => noteContacts(database, contacts, random),
    isItemFault: (error) => !isUnavailable(error),
  });
}
