/** Comparisons as a table for people and as rows for programs. */
import type { Comparison } from './compare.js';
import { lineUp } from './line-up.js';

const whole = (value: number) => Math.round(value).toLocaleString('en-GB');
const microseconds = (value: number | null) => (value === null ? 'n/a' : `${whole(value)} µs`);

const columns: readonly (readonly [string, (row: Comparison) => string])[] = [
  ['measure', (row) => row.name],
  ['ours', (row) => whole(row.ours)],
  ['base', (row) => whole(row.base)],
  ['unit', (row) => row.unit],
  ['ratio', (row) => row.ratio.toFixed(2)],
  ['lowest to highest', (row) => `${row.lowestRatio.toFixed(2)} to ${row.highestRatio.toFixed(2)}`],
  ['target', (row) => `≥ ${row.target.toFixed(2)}`],
  ['runs', (row) => String(row.runs)],
  ['CPU per message: ours', (row) => microseconds(row.oursCpuUs)],
  ['base', (row) => microseconds(row.baseCpuUs)],
];

export function formatTable(rows: readonly Comparison[]): string {
  return lineUp([columns.map(([title]) => title), ...rows.map((row) => columns.map(([, show]) => show(row)))]);
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** Rates per second as whole numbers, the ratio to a thousandth. */
export function comparisonRows(rows: readonly Comparison[]) {
  return rows.map(({ name, ours, base, ratio, unit, runs }) => ({
    name,
    ours: rounded(ours, 0),
    base: rounded(base, 0),
    ratio: rounded(ratio, 3),
    unit,
    runs,
  }));
}
