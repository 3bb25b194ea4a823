/**
 * People and programs start, pause, resume and cancel a broadcast. Each is one transaction under the lock of the
 * broadcast. A second run finds the state that the first one made, and changes nothing.
 */
import { type AccountId, type BroadcastId, type BroadcastState, limits } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { erasedRecipient } from '../messages/new-message.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { forgetAudience } from './audience/audience-rows.js';
import { mustConfirm } from './release/broadcast-hours.js';
import { type LockedBroadcast, lockBroadcast, moveBroadcast } from './state/broadcast-state.js';
import { holdWaiting, letGoOn } from './state/hold-messages.js';
import { countPending, giveBackQuota, type Reservation, reserveQuota } from './state/reserve-quota.js';

type Whose = { readonly id: BroadcastId; readonly accountId: AccountId };

export type ResumeScope = 'pending' | 'failed' | 'unknown';

export type Control =
  | { readonly kind: 'done' }
  | { readonly kind: 'not-found' }
  /** The call does not fit the state. */
  | { readonly kind: 'wrong-state'; readonly state: BroadcastState }
  | { readonly kind: 'nothing-to-send'; readonly scope: ResumeScope }
  | { readonly kind: 'text-erased' }
  /** It is marketing that may reach people at night, and nobody has confirmed this. */
  | { readonly kind: 'unconfirmed' }
  | (Extract<Reservation, { kind: 'refused' }> & { readonly needed: number });

const done: Control = { kind: 'done' };

async function control(
  { pool }: Database,
  whose: Whose,
  audit: Audit | undefined,
  change: (client: pg.PoolClient, broadcast: LockedBroadcast) => Promise<Control>,
): Promise<Control> {
  return inTransaction(pool, async (client) => {
    const broadcast = await lockBroadcast(client, whose);
    if (broadcast === null) return { kind: 'not-found' };
    const result = await change(client, broadcast);
    if (result.kind === 'done' && audit !== undefined) await noteAudit(client, audit, whose.id);
    return result;
  });
}

/** Sets the quota of what has not been released aside. The ids of its messages begin with this moment or a later day. */
async function beginRound(client: pg.PoolClient, broadcast: LockedBroadcast, scope: ResumeScope): Promise<Control> {
  const needed = await countPending(client, broadcast.id);
  if (needed === 0) return { kind: 'nothing-to-send', scope };
  const reservation = await reserveQuota(client, broadcast, needed);
  if (reservation.kind === 'refused') return { ...reservation, needed };
  await client.query({
    name: 'begin-round',
    text: 'UPDATE broadcasts SET round_at = now(), guard_since = now() WHERE id = $1',
    values: [broadcast.id],
  });
  return done;
}

/** Refused as a whole: the transaction must not keep what it reserved. */
class Refused extends Error {
  readonly control: Control;

  constructor(refusal: Control) {
    super('refused');
    this.control = refusal;
  }
}

const orRefused = (work: Promise<Control>): Promise<Control> =>
  work.catch((error: unknown) => {
    if (error instanceof Refused) return error.control;
    throw error;
  });

function required(result: Control): void {
  if (result.kind !== 'done') throw new Refused(result);
}

/** `anyHour`: somebody has confirmed that it may reach people at night. Before its `send_at`, it only gets a place in time. */
export const startBroadcast = (
  database: Database,
  whose: Whose,
  anyHour: boolean,
  audit: Audit | undefined,
): Promise<Control> =>
  orRefused(
    control(database, whose, audit, async (client, broadcast) => {
      if (broadcast.state !== 'ready') return { kind: 'wrong-state', state: broadcast.state };
      if (!anyHour && mustConfirm(broadcast)) return { kind: 'unconfirmed' };
      required(await beginRound(client, broadcast, 'pending'));
      const isLater = broadcast.sendAt !== null && broadcast.sendAt.getTime() > Date.now();
      await moveBroadcast(client, broadcast.id, { from: ['ready'], to: isLater ? 'scheduled' : 'running' });
      return done;
    }),
  );

/** Returns after nothing of the broadcast waits in a lane any more. A message that is being sent goes out. */
export const pauseBroadcast = (database: Database, whose: Whose, audit: Audit | undefined): Promise<Control> =>
  control(database, whose, audit, async (client, { id, state, pausedBy }) => {
    if (state === 'paused' && pausedBy === 'user') return done;
    const from = ['running', 'paused', 'scheduled'] as const;
    if (!(await moveBroadcast(client, id, { from, to: 'paused', pausedBy: 'user' })))
      return { kind: 'wrong-state', state };
    await holdWaiting(client, id);
    return done;
  });

/** Notes how many recipients are to get another message. The steps move them: see `move-again.ts`. */
async function askAgain(client: pg.PoolClient, id: BroadcastId, status: 'failed' | 'unknown'): Promise<void> {
  await client.query({
    name: `ask-again-${status}`,
    text: `UPDATE broadcasts b SET again_${status} = (
             SELECT count(*)::int FROM messages m WHERE m.broadcast_id = b.id AND m.status = $2 AND m.recipient <> '${erasedRecipient}')
           WHERE b.id = $1`,
    values: [id, status],
  });
}

const mayResume: Readonly<Record<ResumeScope, readonly BroadcastState[]>> = {
  pending: ['paused'],
  failed: ['paused', 'finished'],
  unknown: ['paused', 'finished'],
};

/**
 * Goes on with what has not been released. `failed` and `unknown` send again to those whose message ended so; after
 * `unknown`, a person may get it twice.
 */
export const resumeBroadcast = (
  database: Database,
  whose: Whose,
  scope: ResumeScope,
  audit: Audit | undefined,
): Promise<Control> =>
  orRefused(
    control(database, whose, audit, async (client, broadcast) => {
      const { id, state } = broadcast;
      if (!mayResume[scope].includes(state)) return { kind: 'wrong-state', state };
      if (broadcast.sealed === null) return { kind: 'text-erased' };
      if (scope !== 'pending') {
        await askAgain(client, id, scope);
        required(await beginRound(client, broadcast, scope));
      }
      await client.query({
        name: 'begin-guards-again',
        text: 'UPDATE broadcasts SET guard_since = now() WHERE id = $1',
        values: [id],
      });
      const isLater = broadcast.roundAt === null || (broadcast.sendAt?.getTime() ?? 0) > Date.now();
      const to = isLater ? 'scheduled' : 'running';
      await moveBroadcast(client, id, { from: [state], to });
      await letGoOn(client, id);
      return done;
    }),
  );

/** Nothing more goes out. The driver ends what waits. */
export const cancelBroadcast = (database: Database, whose: Whose, audit: Audit | undefined): Promise<Control> =>
  control(database, whose, audit, cancelLocked);

async function cancelLocked(client: pg.PoolClient, broadcast: LockedBroadcast): Promise<Control> {
  const { id, state } = broadcast;
  if (state === 'cancelled') return done;
  const from = ['draft', 'checking', 'ready', 'scheduled', 'running', 'paused'] as const;
  if (!(await moveBroadcast(client, id, { from, to: 'cancelled' }))) return { kind: 'wrong-state', state };
  await forgetAudience(client, id, null);
  await holdWaiting(client, id);
  await giveBackQuota(client, broadcast);
  return done;
}

/** Over `broadcasts`: nobody has started or resumed it for so long that its list must not be kept any more. */
const isIdle = `state IN ('draft', 'ready', 'paused') AND ended_at IS NULL
  AND greatest(changed_at, send_at) < now() - interval '${limits.broadcastIdleDays} days'`;

/** A person may start or resume one meanwhile, so each is looked at again under its lock. Returns how many it cancelled. */
export async function cancelIdleBroadcasts(database: Database, signal: AbortSignal): Promise<number> {
  const { rows } = await database.pool.query<Whose>({
    name: 'read-idle-broadcasts',
    text: `SELECT id, account_id AS "accountId" FROM broadcasts WHERE ${isIdle} ORDER BY id`,
  });
  let cancelled = 0;
  for (const whose of rows) {
    if (signal.aborted) break;
    const { kind } = await control(database, whose, undefined, async (client, broadcast) => {
      const { rowCount } = await client.query({
        name: 'find-idle-broadcast',
        text: `SELECT 1 FROM broadcasts WHERE id = $1 AND ${isIdle}`,
        values: [whose.id],
      });
      return rowCount === 1 ? cancelLocked(client, broadcast) : { kind: 'wrong-state', state: broadcast.state };
    });
    if (kind === 'done') cancelled += 1;
  }
  return cancelled;
}
