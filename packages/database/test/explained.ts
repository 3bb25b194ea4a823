/** Explains the statements of a piece of work, as the pool of lists plans them. */
import pg from 'pg';
import { vi } from 'vitest';
import type { Database } from '../src/postgres/connect.js';

export type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
};

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Does the work, then runs each of its statements that contains `part` once more. Returns the nodes of each plan. */
export async function explained({ lists }: Database, part: string, work: () => Promise<unknown>): Promise<Plan[][]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await work();
  // The work passes a text and its values; the spy knows only the first signature of `query`.
  const calls = spy.mock.calls as unknown as [text: string, values: unknown[]][];
  spy.mockRestore();
  const asked = calls.filter(([text]) => typeof text === 'string' && text.includes(part));
  return Promise.all(
    asked.map(async ([text, values]) => {
      const { rows } = await lists.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
    }),
  );
}

/** How many rows the scans read, whether they fitted or not. */
export const rowsRead = (scans: readonly Plan[]): number =>
  scans
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
    .reduce((sum, read) => sum + read, 0);
