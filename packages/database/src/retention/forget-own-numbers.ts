/**
 * Forgets the own numbers of devices that are not linked. Without its number, a device cannot know whether the same
 * number is linked again. So everything that belongs to the number goes with it, as if another one were linked.
 */
import type { Database } from '../postgres/connect.js';
import { deleteAll } from '../postgres/chores/run-in-batches.js';

const contactsAtOnce = 5_000;

const deleteContacts = (which: string) => `
  DELETE FROM device_contacts WHERE ctid = ANY (ARRAY(
    SELECT c.ctid FROM devices d JOIN device_contacts c ON c.device_id = d.id WHERE ${which} LIMIT ${contactsAtOnce}))`;

const forget = (which: string) => `
  WITH chosen AS MATERIALIZED (SELECT d.id FROM devices d WHERE ${which} ORDER BY d.id FOR UPDATE),
  days AS (DELETE FROM device_days y USING chosen WHERE y.device_id = chosen.id),
  health AS (DELETE FROM device_health h USING chosen WHERE h.device_id = chosen.id)
  UPDATE devices d SET phone_number = NULL, desired_state = 'unlinked',
    state = CASE WHEN d.state = 'pairing' THEN 'disconnected' ELSE d.state END,
    pairing_method = NULL, pairing_number = NULL, pairing_code = NULL, pairing_until = NULL,
    new_contacts_blocked_until = NULL, new_contacts_reason = NULL, new_chats_used = NULL, new_chats_total = NULL,
    new_chats_reset_at = NULL
  FROM chosen WHERE d.id = chosen.id`;

/** `which` is SQL over `devices d`, and must choose no linked device. A second run changes nothing. Returns how many. */
export async function forgetOwnNumbers(
  { pool }: Database,
  which: string,
  values: readonly unknown[] = [],
): Promise<number> {
  await deleteAll(pool, deleteContacts(which), values);
  const { rowCount } = await pool.query(forget(which), [...values]);
  return rowCount ?? 0;
}
