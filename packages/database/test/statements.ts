/** The statements of a piece of work, and the rows that their plans read. */
import pg from 'pg';
import { vi } from 'vitest';
import { type Database, withConnection } from '../src/postgres/connect.js';

export type Statement = { readonly name?: string; readonly text: string; readonly values: readonly unknown[] };
type Call = [statement: Statement | string, values?: readonly unknown[]];

/** The statements that the work sends to Postgres, and that have a plan. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    // The work passes an object, or a text and its values; the spy knows only the first signature of `query`.
    const calls = spy.mock.calls as unknown as Call[];
    return calls
      .map(([asked, values]) => (typeof asked === 'string' ? { text: asked, values: values ?? [] } : asked))
      .filter(({ text }) => !/^(SET|BEGIN|COMMIT)\b/.test(text));
  } finally {
    spy.mockRestore();
  }
}

export type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Join Filter'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

function literalOf(value: unknown): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `ARRAY[${value.map(literalOf).join(', ')}]`;
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  return pg.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The rows that the nodes of the statement's plan read. Only the statements of `pool` have a name. */
export async function rowsReadBy({ pool, lists }: Database, { name, text, values }: Statement): Promise<number> {
  const nodes = await withConnection(name === undefined ? lists : pool, async (client) => {
    await client.query(`PREPARE explained AS ${text}`);
    const run = values.length === 0 ? 'explained' : `explained (${values.map(literalOf).join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${run}`,
    );
    await client.query('DEALLOCATE explained');
    return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
  });
  const rowsOf = (node: Plan) =>
    ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0);
  return nodes.reduce((sum, node) => sum + rowsOf(node), 0);
}
