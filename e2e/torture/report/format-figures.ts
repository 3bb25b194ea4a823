/** Formats figures as a table: one line each, the figures of a group indented below its name, findings at the end. */
import { words } from './describe-findings.js';

type Row = readonly [string, string];

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-GB');
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(', ') : 'none';
}

/** A small group fits on one line. */
const inLine = (group: Record<string, unknown>) =>
  Object.entries(group)
    .map(([name, value]) => `${words(name)} ${textOf(value)}`)
    .join(', ');

function rowsOf(figures: Record<string, unknown>): Row[] {
  return Object.entries(figures).flatMap(([name, value]): Row[] => {
    if (name === 'findings') return [];
    if (!isGroup(value)) return [[words(name), textOf(value)]];
    if (!name.includes('_by_')) return [[words(name), inLine(value)]];
    return [
      [words(name), ''],
      ...Object.entries(value).map(([part, count]): Row => [`  ${words(part)}`, textOf(count)]),
    ];
  });
}

export function formatFigures(figures: Record<string, unknown> & { readonly findings: readonly string[] }): string {
  const rows = rowsOf(figures);
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd());
  return [...table, ...figures.findings.map((found) => `! ${found}`)].join('\n');
}
