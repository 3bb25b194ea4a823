/**
 * Reads reports and exports from a standby, while it is at most `maxLagMs` behind the primary. Otherwise, and if the
 * standby fails, it reads from the primary. Nobody waits for a standby that is not in use.
 *
 * The lag is measured by positions in the log: what the primary had written some time ago, the standby has replayed now.
 * The connection that runs the statement is asked, because an address may lead to several standbys.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isUnavailable } from './unavailable.js';

/** `other`: the address leads to a primary, to another database, or to a standby that follows another primary. */
export type ReplicaState = 'fresh' | 'late' | 'away' | 'other';

export type ReplicaOptions = {
  /** At least two seconds. */
  readonly maxLagMs: number;
  readonly onChange: (state: ReplicaState, error: unknown) => void;
};

/** Positions of the primary are read at most so often. */
const readEveryMs = 1_000;
/** After a quiet time, only the newest position is known. A healthy standby reaches it soon. */
const catchesUpWithinMs = 1_000;
const askEveryMs = 25;
const tryAgainAfterMs = { late: 1_000, away: 5_000, other: 5_000 };

type Server = { readonly system: bigint; readonly timeline: number };
type Primary = Server & { readonly at: bigint };
/** `at` is null on a server that is no standby. */
type Standby = Server & { readonly at: bigint | null };

const identity = `(SELECT system_identifier FROM pg_control_system()) AS system,
  (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline`;
const written = `SELECT ${identity}, (pg_current_wal_lsn() - '0/0')::bigint AS at`;
const replayed = `SELECT ${identity}, CASE WHEN pg_is_in_recovery()
  THEN (coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0')::bigint END AS at`;

/** The standby cancels a statement that stands in the way of its replay. */
const conflictWithReplay = '40001';
const tookTooLong = 'Query read timeout';
/** All connections of the pool are in use. */
const noneIsFree = 'timeout exceeded when trying to connect';

/** The primary would not do better. */
const isOfStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError
    ? !isUnavailable(error) && error.code !== conflictWithReplay
    : error instanceof Error && error.message === tookTooLong;

export class Replica {
  readonly #primary: pg.Pool;
  readonly #standby: pg.Pool;
  readonly #options: ReplicaOptions;
  #state: ReplicaState | null = null;
  #tryAgainAt = 0;
  #trying = false;
  #reading: Promise<void> | null = null;
  #newest: Primary | null = null;
  /** Positions of the primary, and when it had them. The newest comes last. */
  #history: { readonly at: bigint; readonly readAt: number }[] = [];

  constructor(primary: pg.Pool, standby: pg.Pool, options: ReplicaOptions) {
    this.#primary = primary;
    this.#standby = standby;
    this.#options = options;
  }

  /** Runs a statement that only reads. */
  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    if (this.#state !== 'fresh') this.#tryLater();
    const client = this.#state === 'fresh' ? await this.#takeFresh() : null;
    if (client === null) return this.#primary.query(text, values);
    let isBroken = false;
    try {
      return await client.query(text, values);
    } catch (error) {
      isBroken = !(error instanceof pg.DatabaseError) || isUnavailable(error);
      if (isOfStatement(error)) throw error;
      if (isBroken) this.#become('away', error);
    } finally {
      client.release(isBroken);
    }
    return this.#primary.query(text, values);
  }

  /** Looks in the background whether the standby can be used. */
  #tryLater(): void {
    if (this.#trying || performance.now() < this.#tryAgainAt) return;
    this.#trying = true;
    void this.#takeFresh().then((client) => {
      client?.release();
      this.#trying = false;
    });
  }

  /** Resolves with a connection to a standby that is fresh, or null. It never rejects. */
  async #takeFresh(): Promise<pg.PoolClient | null> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#standby.connect();
      const state = await this.#stateOf(client);
      this.#become(state);
      if (state === 'fresh') return client;
      client.release();
    } catch (error) {
      client?.release(true);
      const isFull = error instanceof Error && error.message === noneIsFree;
      if (!isFull) this.#become('away', error);
    }
    return null;
  }

  #become(state: ReplicaState, error: unknown = null): void {
    if (state !== 'fresh') this.#tryAgainAt = performance.now() + tryAgainAfterMs[state];
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onChange(state, error);
  }

  async #stateOf(client: pg.PoolClient): Promise<ReplicaState> {
    await this.#readPrimary();
    const until = performance.now() + catchesUpWithinMs;
    for (;;) {
      const [standby] = (await client.query<Standby>(replayed)).rows;
      const state = this.#judge(standby);
      if (state !== 'late' || performance.now() > until) return state;
      await sleep(askEveryMs);
    }
  }

  #judge(standby: Standby | undefined): ReplicaState {
    const primary = this.#newest;
    // The query on the primary will say what is wrong with it.
    if (primary === null) return 'late';
    if (standby === undefined || standby.at === null) return 'other';
    if (primary.system !== standby.system || primary.timeline !== standby.timeline) return 'other';
    const has = standby.at;
    const oldest = performance.now() - this.#options.maxLagMs;
    return this.#history.some(({ at, readAt }) => readAt >= oldest && at <= has) ? 'fresh' : 'late';
  }

  /** Parallel callers share a reading. If it fails, no position is known. */
  async #readPrimary(): Promise<void> {
    const last = this.#history.at(-1)?.readAt ?? Number.NEGATIVE_INFINITY;
    if (this.#newest !== null && performance.now() - last < readEveryMs) return;
    this.#reading ??= this.#readPosition().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #readPosition(): Promise<void> {
    const readAt = performance.now();
    const answer = await this.#primary.query<Primary>(written).catch(() => null);
    this.#newest = answer?.rows[0] ?? null;
    const oldest = performance.now() - this.#options.maxLagMs;
    const kept = this.#history.filter((entry) => entry.readAt >= oldest);
    this.#history = this.#newest === null ? kept : [...kept, { at: this.#newest.at, readAt }];
  }
}
