/**
 * Between the product and Postgres: stops workers before their statements and before the answers, puts mutants in, and
 * tells the model beside what was taken, claimed and written, as Postgres says it.
 */
import type { Database } from '@kurir/database';
import type { Expected } from './expected.js';
import { refuseOwnClock } from './stopped-clock.js';

type Statement = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] };
type Rows = { readonly rows: readonly Record<string, unknown>[]; readonly rowCount: number | null };
type Asked = (statement: Statement) => Promise<Rows>;

/** Around a statement. `before` rejects when the worker gives it up: Postgres may carry it out later. */
export type Waits = { before(): Promise<void>; asks(): void; heard(): void; after(): Promise<void> };

const statesOfHolder = new Set(['write-device-state', 'write-unlinked', 'write-linked']);

/** Of `{device: epoch}`. */
const epochOf = (epochs: string): bigint => BigInt(String(Object.values(JSON.parse(epochs) as object)[0] ?? -1));

export class Wiretap {
  readonly #database: Database;
  readonly #expected: Expected;
  readonly #rewrite: (name: string | undefined, text: string) => string;
  /** For customers and sweeps, who are never stopped. */
  readonly database: Database;
  /** Statements that a worker gave up before Postgres had them: each can still be carried out. */
  readonly late: (() => Promise<unknown>)[] = [];
  /** How often somebody turned to Postgres. */
  asked = 0;

  constructor(database: Database, expected: Expected, rewrite: (name: string | undefined, text: string) => string) {
    this.#database = database;
    this.#expected = expected;
    this.#rewrite = rewrite;
    this.database = this.#withQuery(async (statement) => this.#ask(statement, null));
  }

  /** For what a worker does beside its turns: its timers and its network's events are not held up by a turn. */
  unstoppedDatabaseOf(owner: string): Database {
    return this.#withQuery(async (statement) => this.#ask(statement, owner));
  }

  /** For one worker, which waits before each statement and before each answer. */
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
    const { pool, prisma, close } = this.#database;
    const query = (statement: Statement | string, values?: readonly unknown[]) =>
      ask(typeof statement === 'string' ? { text: statement, ...(values ? { values } : {}) } : statement);
    // The product asks the pool only with `query` and `connect`.
    const tapped = new Proxy(pool, {
      get: (target, property) => {
        this.asked++;
        return property === 'query' ? query : Reflect.get(target, property).bind(target);
      },
    });
    return { pool: tapped, lists: tapped, prisma, close };
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
    if (name !== undefined && statesOfHolder.has(name) && rowCount === 1)
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
      // A claim of which nobody heard is found by the next one, and is no other try.
      if (message === undefined || Number(attempts) === message.attempts) continue;
      this.#expected.demand(Number(attempts) > message.attempts, 'attempts have decreased');
      message.attempts = Number(attempts);
      message.openTries++;
      this.#expected.demand(this.#expected.holds(owner, epoch), 'a message was claimed without the lease');
    }
  }

  /** What a worker's own try brought: the try is over. An acknowledgement counts from anybody, a refusal does not. */
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
