/**
 * Stands between the product and Postgres. It stops workers before their statements and before the answers, and rewrites
 * statements for mutants. It reports leases, claims and outcomes to the model, as Postgres returned them.
 */
import type { Database } from '@kurir/database';
import type { Expected } from './expected.js';
import { refuseOwnClock } from './stopped-clock.js';

type Statement = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] };
type Rows = { readonly rows: readonly Record<string, unknown>[]; readonly rowCount: number | null };
type Asked = (statement: Statement) => Promise<Rows>;

/** The stops around a statement. `before` rejects if the statement times out; Postgres may still run it later. */
export type Waits = { before(): Promise<void>; asks(): void; heard(): void; after(): Promise<void> };

const leasedWrites = new Set(['write-device-state', 'write-unlinked', 'write-linked']);

/** Returns the epoch in `{device: epoch}`. */
const epochOf = (epochs: string): bigint => BigInt(String(Object.values(JSON.parse(epochs) as object)[0] ?? -1));

export class Wiretap {
  readonly #database: Database;
  readonly #expected: Expected;
  readonly #rewrite: (name: string | undefined, text: string) => string;
  /** For customers and sweeps, which never stop. */
  readonly database: Database;
  /** The statements that timed out before Postgres had them. Each can still run. */
  readonly late: (() => Promise<unknown>)[] = [];
  /** Counts the requests to Postgres. */
  asked = 0;

  constructor(database: Database, expected: Expected, rewrite: (name: string | undefined, text: string) => string) {
    this.#database = database;
    this.#expected = expected;
    this.#rewrite = rewrite;
    this.database = this.#withQuery(async (statement) => this.#ask(statement, null));
  }

  /** For a worker's timers and the events of its network, which do not wait for a turn. */
  unstoppedDatabaseOf(owner: string): Database {
    return this.#withQuery(async (statement) => this.#ask(statement, owner));
  }

  /** For one worker, which stops before each statement and before each answer. */
  databaseOf(owner: string, waits: Waits): Database {
    return this.#withQuery(async (statement) => {
      try {
        await waits.before();
      } catch (error) {
        this.late.push(() => {
          this.asked++;
          return this.#ask(statement, owner);
        });
        throw error;
      }
      this.asked++;
      waits.asks();
      const answer = await this.#ask(statement, owner).finally(() => waits.heard());
      await waits.after();
      return answer;
    });
  }

  #withQuery(ask: Asked): Database {
    const { pool } = this.#database;
    const query = (statement: Statement | string, values?: readonly unknown[]) =>
      ask(typeof statement === 'string' ? { text: statement, ...(values ? { values } : {}) } : statement);
    // The product uses only `query` and `connect` of the pool.
    const tapped = new Proxy(pool, {
      get: (target, property) => {
        this.asked++;
        return property === 'query' ? query : Reflect.get(target, property).bind(target);
      },
    });
    return { ...this.#database, pool: tapped, lists: tapped };
  }

  async #ask(statement: Statement, owner: string | null): Promise<Rows> {
    refuseOwnClock(statement.text);
    const text = this.#rewrite(statement.name, statement.text);
    const answer: Rows = await this.#database.pool.query({ ...statement, text, values: [...(statement.values ?? [])] });
    this.#note(statement, answer, owner);
    return answer;
  }

  #note({ name, values = [] }: Statement, { rows, rowCount }: Rows, owner: string | null): void {
    const expected = this.#expected;
    if (name !== undefined && leasedWrites.has(name) && rowCount === 1)
      expected.demand(expected.holds(String(values[1]), values[2] as bigint), `${name} without the lease`);
    if (name === 'write-unlinked' && rowCount === 1) expected.unlinked();
    if (name === 'take-leases') for (const row of rows) expected.took(String(owner), row['epoch'] as bigint);
    if (name === 'renew-leases') for (const row of rows) expected.renewed(String(owner), row['epoch'] as bigint);
    if (name === 'release-leases') expected.released(String(owner), epochOf(String(values[2])));
    if (name === 'claim-messages') this.#noteClaim(rows, String(owner), (values[2] as bigint[])[0] ?? -1n);
    if (name === 'move-listed' && owner !== null)
      this.#noteAnswers(rows, owner, values[0] as string[], values[3] as (bigint | null)[]);
  }

  #noteClaim(rows: Rows['rows'], owner: string, epoch: bigint): void {
    const held = rows[0]?.['held'] === true;
    this.#expected.demand(
      held === this.#expected.holds(owner, epoch),
      held ? 'a claim passed without the lease' : 'a claim was refused although the lease is held',
    );
    this.#noteTries(rows, owner, epoch);
  }

  #noteTries(rows: Rows['rows'], owner: string, epoch: bigint): void {
    for (const { id, attempts } of rows) {
      const message = typeof id === 'string' ? this.#expected.byId(id) : undefined;
      // The next claim finds a claim whose answer nobody received. It is not another try.
      if (message === undefined || Number(attempts) === message.attempts) continue;
      this.#expected.demand(Number(attempts) > message.attempts, 'attempts have decreased');
      message.attempts = Number(attempts);
      message.openTries++;
      this.#expected.demand(this.#expected.holds(owner, epoch), 'a message was claimed without the lease');
    }
  }

  /** A worker stored the outcome of its try, which ends the try. A refusal counts only with the lease. */
  #noteAnswers(rows: Rows['rows'], owner: string, ids: readonly string[], epochs: readonly (bigint | null)[]): void {
    for (const { id } of rows) {
      const message = this.#expected.byId(String(id));
      if (message !== undefined) message.openTries--;
      const epoch = epochs[ids.indexOf(String(id))] ?? null;
      if (epoch !== null)
        this.#expected.demand(this.#expected.holds(owner, epoch), 'a refusal was written without the lease');
    }
  }
}
