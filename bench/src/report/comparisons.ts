/** Formats comparisons as a table for people and as rows for programs. */
import type { Comparison } from '../measures/compare.js';
import type { CpuUs } from '../readings/cpu-time.js';
import { lineUp } from './line-up.js';

const whole = (value: number) => Math.round(value).toLocaleString('en-GB');
/** CPU time of the process under test, which comes first. The sum of all processes follows in brackets. */
function microseconds(cpuUs: CpuUs): string {
  const values = Object.values(cpuUs);
  const [tested] = values;
  return tested === undefined ? 'n/a' : `${whole(tested)} µs (${whole(values.reduce((sum, us) => sum + us, 0))})`;
}

const columns: readonly (readonly [string, (row: Comparison) => string])[] = [
  ['measure', (row) => row.name],
  ['ours', (row) => whole(row.ours)],
  ['base', (row) => whole(row.base)],
  ['unit', (row) => row.unit],
  ['ratio', (row) => row.ratio.toFixed(2)],
  ['lowest to highest', (row) => `${row.lowestRatio.toFixed(2)} to ${row.highestRatio.toFixed(2)}`],
  ['target', (row) => (row.target === null ? '' : `≥ ${row.target.toFixed(2)}`)],
  ['runs', (row) => String(row.runs)],
  ['CPU per message (of all processes): ours', (row) => microseconds(row.oursCpuUs)],
  ['base', (row) => microseconds(row.baseCpuUs)],
];

const eachOf = (cpuUs: CpuUs) =>
  Object.entries(cpuUs)
    .map(([name, us]) => `${name} ${whole(us)}`)
    .join(', ');

/** The CPU time of each process, one line per measure. */
function formatCpu(rows: readonly Comparison[]): string {
  return rows
    .filter((row) => Object.keys(row.oursCpuUs).length > 0)
    .map((row) => `${row.name}: CPU µs per message: ${eachOf(row.oursCpuUs)}; base: ${eachOf(row.baseCpuUs)}`)
    .join('\n');
}

export function formatTable(rows: readonly Comparison[]): string {
  return [formatRows(rows), formatCpu(rows)].filter((part) => part !== '').join('\n\n');
}

function formatRows(rows: readonly Comparison[]): string {
  return lineUp([columns.map(([title]) => title), ...rows.map((row) => columns.map(([, show]) => show(row)))]);
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** Rounds rates per second to whole numbers, ratios to thousandths, and CPU microseconds per message to tenths. */
export function comparisonRows(rows: readonly Comparison[]) {
  const roundAll = (cpuUs: CpuUs) =>
    Object.fromEntries(Object.entries(cpuUs).map(([name, us]) => [name, rounded(us, 1)]));
  return rows.map(({ name, ours, base, ratio, lowestRatio, highestRatio, unit, runs, oursCpuUs, baseCpuUs }) => ({
    name,
    ours: rounded(ours, 0),
    base: rounded(base, 0),
    ratio: rounded(ratio, 3),
    lowest: rounded(lowestRatio, 3),
    highest: rounded(highestRatio, 3),
    unit,
    runs,
    ours_cpu_us: roundAll(oursCpuUs),
    base_cpu_us: roundAll(baseCpuUs),
  }));
}
