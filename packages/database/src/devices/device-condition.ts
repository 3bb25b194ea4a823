/** Conditions over a device's row and its lease, as SQL over `devices d` and `device_leases l`. */
import { limits } from '@kurir/contracts';

/** The state to show. `connected` counts only while the lease of its owner is live. */
export const shownState = `CASE WHEN d.state = 'connected' AND (l.owner IS NULL OR l.expires_at <= now()) THEN 'connecting' ELSE d.state END`;

/** Another program connects with the same credentials. The worker does not reconnect until a person asks for it. */
export const isContested = `(d.state_reason IS NOT DISTINCT FROM 'contested')`;

/**
 * The device may accept messages: it is connected, or it lost its connection so recently that it will probably return.
 */
export const acceptsSends = `(d.linked AND d.desired_state = 'linked' AND (
    (d.state = 'connected' AND l.expires_at > now() - interval '${limits.reconnectGraceSeconds} seconds')
    OR (d.state = 'connecting' AND NOT ${isContested} AND d.last_connected_at > now() - interval '${limits.reconnectGraceSeconds} seconds')))`;

/** An operator has suspended the device's account. */
export const isSuspended = `(d.account_id = ANY (ARRAY(SELECT id FROM accounts WHERE suspended_at IS NOT NULL)))`;

/**
 * A worker must hold the session: to link the device, to keep it connected, or to log it out. A device of a suspended
 * account is only logged out.
 */
export const needsOwner = `(CASE d.desired_state WHEN 'linked' THEN NOT ${isSuspended} ELSE d.linked END AND d.state <> 'banned')`;

/** The start of the time without an owner: the end of the last lease, or the request to link the device. */
export const freeSince = `CASE WHEN d.state = 'pairing' THEN GREATEST(l.expires_at, d.state_at) ELSE l.expires_at END`;

/** A worker takes a free device within this time, if it has a place. */
const placedWithinSeconds = 6;

/** These explain better than a missing place why a device is not connected. */
const reasonsThatStay = `('contested', 'temporarily_banned', 'rate_limited_by_network')`;

/** The reason to show. A device that no worker takes has no fresh one of its own. */
export const shownReason = `CASE WHEN ${isSuspended} AND d.linked AND d.desired_state = 'linked' AND d.state <> 'banned' THEN 'account_suspended' WHEN ${needsOwner} AND (l.owner IS NULL OR l.expires_at <= now())
  AND ${freeSince} < now() - interval '${placedWithinSeconds} seconds'
  AND coalesce(d.state_reason, '') NOT IN ${reasonsThatStay} THEN 'no_capacity' ELSE d.state_reason END`;
