/** What a device's row and its lease mean together, as SQL over `devices d` and `device_leases l`. */
import { limits } from '@kurir/contracts';

/** The state to show: `connected` counts only while its owner's lease runs. */
export const shownState = `CASE WHEN d.state = 'connected' AND (l.owner IS NULL OR l.expires_at <= now()) THEN 'connecting' ELSE d.state END`;

/** Something else connects with its credentials, too: its holder does not connect any more until a person asks for it. */
export const isContested = `(d.state_reason IS NOT DISTINCT FROM 'contested')`;

/** A send may be accepted: connected, or it was less than the grace ago and is expected back. */
export const acceptsSends = `(d.linked AND d.desired_state = 'linked' AND (
    (d.state = 'connected' AND l.expires_at > now() - interval '${limits.reconnectGraceSeconds} seconds')
    OR (d.state = 'connecting' AND NOT ${isContested} AND d.last_connected_at > now() - interval '${limits.reconnectGraceSeconds} seconds')))`;

/** Somebody must hold its session: to link it, to keep it connected, or to log it out. */
export const needsOwner = `((d.desired_state = 'linked' OR d.linked) AND d.state <> 'banned')`;
