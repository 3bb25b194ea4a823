/**
 * Reads reports and exports from a standby, while it is at most `maxLagMs` behind the primary. Otherwise, and if the
 * standby fails, it reads from the primary. Nobody waits for a standby that is not in use.
 *
 * The lag is measured by positions in the log: what the primary had written some time ago, the standby has replayed now.
 */
import pg from 'pg';
import { isUnavailable } from './unavailable.js';

/** `other`: the address leads to a primary, to another database, or to a standby that follows another primary. */
export type ReplicaState = 'fresh' | 'late' | 'away' | 'other';

export type ReplicaOptions = {
  /** At least two seconds. */
  readonly maxLagMs: number;
  readonly onChange: (state: ReplicaState, error: unknown) => void;
};

const checkEveryMs = 1_000;
/** A server that does not answer costs seconds to ask. */
const restAfterFaultMs = 5_000;

type Position = { readonly system: bigint; readonly timeline: number; readonly at: bigint };

const identity = `(SELECT system_identifier FROM pg_control_system()) AS system,
  (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline`;
const written = `SELECT ${identity}, (pg_current_wal_lsn() - '0/0')::bigint AS at`;
const replayed = `SELECT ${identity}, CASE WHEN pg_is_in_recovery()
  THEN (coalesce(pg_last_wal_replay_lsn(), '0/0') - '0/0')::bigint END AS at`;

/** The standby cancels a statement that stands in the way of its replay. */
const conflictWithReplay = '40001';
const isOfStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !isUnavailable(error) && error.code !== conflictWithReplay;

export class Replica {
  readonly #primary: pg.Pool;
  readonly #standby: pg.Pool;
  readonly #options: ReplicaOptions;
  #state: ReplicaState | null = null;
  #nextCheckAt = 0;
  #checking: Promise<void> | null = null;
  /** Positions of the primary, and when it had them. The newest comes last. */
  #history: { readonly at: bigint; readonly readAt: number }[] = [];

  constructor(primary: pg.Pool, standby: pg.Pool, options: ReplicaOptions) {
    this.#primary = primary;
    this.#standby = standby;
    this.#options = options;
  }

  /** Runs a statement that only reads. */
  async query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    if (!(await this.#isFresh())) return this.#primary.query(text, values);
    try {
      return await this.#standby.query(text, values);
    } catch (error) {
      if (isOfStatement(error)) throw error;
      this.#become('away', error);
      return this.#primary.query(text, values);
    }
  }

  async #isFresh(): Promise<boolean> {
    if (this.#checking === null && performance.now() >= this.#nextCheckAt)
      this.#checking = this.#check().finally(() => {
        this.#checking = null;
      });
    if (this.#state === 'fresh' && this.#checking !== null) await this.#checking;
    return this.#state === 'fresh';
  }

  #become(state: ReplicaState, error: unknown = null): void {
    const rest = state === 'away' || state === 'other' ? restAfterFaultMs : checkEveryMs;
    this.#nextCheckAt = performance.now() + rest;
    if (this.#state === state) return;
    this.#state = state;
    this.#options.onChange(state, error);
  }

  async #check(): Promise<void> {
    try {
      this.#become(await this.#compare());
    } catch (error) {
      this.#become('away', error);
    }
  }

  async #compare(): Promise<ReplicaState> {
    const readAt = performance.now();
    const { rows: sent } = await this.#primary.query<Position>(written);
    const { rows: got } = await this.#standby.query<Omit<Position, 'at'> & { at: bigint | null }>(replayed);
    const [primary] = sent;
    const [standby] = got;
    if (primary === undefined || standby === undefined || standby.at === null) return 'other';
    if (primary.system !== standby.system || primary.timeline !== standby.timeline) return 'other';
    // The answer counts until the next check.
    const oldest = performance.now() - this.#options.maxLagMs + checkEveryMs;
    this.#history = [...this.#history.filter((entry) => entry.readAt >= oldest), { at: primary.at, readAt }];
    const has = standby.at;
    return this.#history.some((entry) => entry.at <= has) ? 'fresh' : 'late';
  }
}
