import { isSuspended } from '../devices/device-condition.js';

/**
 * SQL over `devices d` and `device_leases l`: since when the device has been away. Null: it is connected, or somebody wants
 * it as it is. An operator who suspends an account wants it so. A ban has a notice of its own. Nothing is written when a lease runs out, so the lease itself tells that.
 */
export const awaySince = `CASE
  WHEN d.deleted_at IS NOT NULL OR d.state_reason = 'temporarily_banned' THEN NULL
  WHEN NOT d.linked THEN CASE d.state WHEN 'disconnected' THEN d.state_at END
  WHEN d.desired_state <> 'linked' OR ${isSuspended} THEN NULL
  WHEN d.state = 'connecting' THEN d.state_at
  WHEN d.state = 'connected' AND l.expires_at <= now() THEN l.expires_at END`;
