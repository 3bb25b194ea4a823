/** Formats the figures of studies as a table for people and as rows for programs. */
import { lineUp } from './line-up.js';

export type Figure = {
  readonly name: string;
  /** Null if the operating system does not report it. */
  readonly value: number | null;
  readonly unit: string;
  /** How many decimals are significant. */
  readonly digits: number;
  readonly atMost?: number;
  readonly atLeast?: number;
};

export type Findings = { readonly study: string; readonly figures: readonly Figure[] };

function shown({ value, digits, unit }: Figure): string {
  if (value === null) return 'n/a';
  const digitsOf = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${value.toLocaleString('en-GB', digitsOf)} ${unit}`;
}

function targetOf({ atMost, atLeast }: Figure): string {
  if (atMost !== undefined) return `≤ ${atMost.toLocaleString('en-GB')}`;
  return atLeast === undefined ? '' : `≥ ${atLeast.toLocaleString('en-GB')}`;
}

function verdictOf({ value, atMost, atLeast }: Figure): string {
  if (value === null || (atMost === undefined && atLeast === undefined)) return '';
  return value <= (atMost ?? value) && value >= (atLeast ?? value) ? 'reached' : 'not reached';
}

export function formatFigures({ study, figures }: Findings): string {
  const rows = figures.map((figure) => [figure.name, shown(figure), targetOf(figure), verdictOf(figure)]);
  return lineUp([[study, 'figure', 'target', ''], ...rows]);
}

export type FigureRow = {
  readonly study: string;
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
};

export function figureRows({ study, figures }: Findings): FigureRow[] {
  return figures.map(({ name, value, unit, digits }) => ({
    study,
    name,
    value: value === null ? null : Number(value.toFixed(digits)),
    unit,
  }));
}
