/** A database whose statements pass a hook, before and after. A hook that throws closes the connection, as a killed process does. */
import type { Database } from '@kurir/database';

/** `before` or `after`, and the name of a statement or its first word. */
export type Point = `${'before' | 'after'} ${string}`;
export type Hook = (point: Point) => Promise<void> | void;

type Statement = string | { readonly name?: string; readonly text: string };
type Queryable = { query(statement: never, values?: never): Promise<unknown> };

const nameOf = (statement: Statement): string =>
  typeof statement === 'string' ? (statement.split(' ')[0] ?? '') : (statement.name ?? 'unnamed');

const hooked = (target: Queryable, hook: Hook) => async (statement: Statement, values?: unknown) => {
  await hook(`before ${nameOf(statement)}`);
  // The statement goes to the driver as it is.
  const answer = await target.query(statement as never, values as never);
  await hook(`after ${nameOf(statement)}`);
  return answer;
};

function withQuery<T extends object>(target: T, own: object): T {
  return new Proxy(target, {
    get(_target, property) {
      const value: unknown = Reflect.get(property in own ? own : target, property);
      return typeof value === 'function' && !(property in own) ? value.bind(target) : value;
    },
  });
}

export function hookDatabase(database: Database, hook: Hook): Database {
  const { pool } = database;
  const connect = async () => {
    const client = await pool.connect();
    let isClosed = false;
    const query = hooked(client, async (point) => {
      try {
        await hook(point);
      } catch (error) {
        isClosed = true;
        client.release(true);
        throw error;
      }
    });
    const release = (broken?: Error | boolean) => {
      if (!isClosed) client.release(broken);
    };
    return withQuery(client, {
      query: (...given: Parameters<typeof query>) =>
        isClosed ? Promise.reject(new Error('the connection is closed')) : query(...given),
      release,
    });
  };
  return { ...database, pool: withQuery(pool, { query: hooked(pool, hook), connect }) };
}
