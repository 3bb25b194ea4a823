/** Stores how a session ended, and decides when the device may connect again. */
import { deviceReasons } from '@kurir/contracts';
import { readLeaseOwner, writeDeviceState, writeReplaced } from '@kurir/database';
import type { SessionEnd } from '@kurir/network';
import type { DeviceLease } from '../leases/device-lease.js';
import type { ConnectTimes } from './connecting/connect-times.js';
import type { KnownIntent } from './known-intent.js';
import type { StoredLink } from './stored-link.js';

export type SessionEndContext = {
  readonly lease: DeviceLease;
  readonly intent: KnownIntent;
  readonly link: StoredLink;
  readonly times: ConnectTimes;
};

/** Rejects if Postgres is unavailable. Writes nothing if the lease is lost. */
export async function writeSessionEnd(context: SessionEndContext, end: SessionEnd): Promise<void> {
  const { lease, intent, link, times } = context;
  const { reason, detail, until } = end;
  // The link ended while the session connected and found no credentials. Its reason is stored already.
  if (!intent.now.linked) return;
  if (end.next === 'relink') return link.unlinked('disconnected', { reason, detail });
  if (end.next === 'banned') return link.unlinked('banned', { reason, detail });
  if (end.next === 'check-lease') {
    const owner = await readLeaseOwner(lease.database, lease.deviceId);
    if (owner !== lease.token.owner) return lease.lost();
  }
  if (reason === 'replaced') return writeReplacedSession(context, end);
  times.ended(end);
  await writeDeviceState(lease.database, lease.token, 'connecting', { reason, detail, until });
}

async function writeReplacedSession({ lease, intent, times }: SessionEndContext, end: SessionEnd): Promise<void> {
  const replacement = await writeReplaced(lease.database, lease.token);
  if (replacement === null) return lease.lost();
  times.ended(end, replacement.times);
  if (replacement.reason !== 'contested') return;
  intent.change({ contested: true });
  lease.log.error(
    { reason: 'contested', instruction: deviceReasons.contested },
    'device is contested, it waits for a person',
  );
}
