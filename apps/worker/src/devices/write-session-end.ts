/** Stores how a session ended, and decides when the device may connect again. */
import { deviceReasons } from '@kurir/contracts';
import { type Database, type Holder, readLeaseOwner, writeDeviceState, writeReplaced } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { SessionEnd } from '@kurir/network';
import type { ConnectTimes } from './connecting/connect-times.js';
import type { KnownIntent } from './known-intent.js';
import type { StoredLink } from './stored-link.js';

export type SessionEndContext = {
  readonly database: Database;
  readonly holder: Holder;
  readonly intent: KnownIntent;
  readonly link: StoredLink;
  readonly times: ConnectTimes;
  readonly leaseLost: () => void;
  readonly log: Logger;
};

/** Rejects if Postgres is away. Writes nothing if the lease is lost. */
export async function writeSessionEnd(context: SessionEndContext, end: SessionEnd): Promise<void> {
  const { database, holder, intent, link, times, leaseLost } = context;
  const { reason, detail, until } = end;
  // The link ended while the session connected and found no credentials. Its reason is stored already.
  if (!intent.now.linked) return;
  if (end.next === 'relink') return link.unlinked('disconnected', { reason, detail });
  if (end.next === 'banned') return link.unlinked('banned', { reason, detail });
  if (end.next === 'check-lease') {
    const owner = await readLeaseOwner(database, holder.deviceId);
    if (owner !== holder.owner) return leaseLost();
  }
  if (reason === 'replaced') return writeReplacedSession(context, end);
  times.ended(end);
  await writeDeviceState(database, holder, 'connecting', { reason, detail, until });
}

async function writeReplacedSession(context: SessionEndContext, end: SessionEnd): Promise<void> {
  const { database, holder, intent, times, leaseLost, log } = context;
  const replacement = await writeReplaced(database, holder);
  if (replacement === null) return leaseLost();
  times.ended(end, replacement.times);
  if (replacement.reason !== 'contested') return;
  intent.change({ contested: true });
  log.error(
    { reason: 'contested', instruction: deviceReasons.contested },
    'device is contested, it waits for a person',
  );
}
