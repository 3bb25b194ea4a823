/**
 * When a device may write to nobody new, as SQL. It is derived from the device's row and its contacts; nothing is
 * written to a message that waits for it, so all of them go on by themselves when the time has come.
 */

/** Over `device_contacts c`: somebody new whom a device wrote to within 24 hours. Who wrote first is not new. */
export const isNewOfToday = `(c.wrote_at > now() - interval '24 hours' AND (c.heard_at IS NULL OR c.heard_at > c.wrote_at))`;

/** Over `devices d`: the network forbids new contacts, or the device's own limit for 24 hours is reached. */
const refusesNewContacts = `(d.new_contacts_blocked_until > now() OR d.new_contacts_per_day <= (
    SELECT count(*) FROM device_contacts c
    WHERE c.device_id = d.id AND ${isNewOfToday}))`;

/** Over `messages m`. */
const toContact = `EXISTS (SELECT 1 FROM device_contacts k WHERE k.device_id = m.device_id AND k.recipient = m.recipient)`;

/**
 * Which of the devices (SQL for an array of ids) refuse new contacts now: the common table expression that `mayGo`
 * needs, so that a device is asked once and not for each of its messages.
 */
export const refusingDevices = (deviceIds: string) => `refusing AS MATERIALIZED (
    SELECT d.id AS device_id FROM devices d WHERE d.id = ANY (${deviceIds}) AND ${refusesNewContacts})`;

/** Over `messages m` and `refusing`. */
export const mayGo = `(m.device_id NOT IN (SELECT device_id FROM refusing) OR ${toContact})`;

/** Over `messages m`, for few of them. */
export const waitsForNewContacts = `(m.stage = 0 AND NOT ${toContact}
  AND EXISTS (SELECT 1 FROM devices d WHERE d.id = m.device_id AND ${refusesNewContacts}))`;
