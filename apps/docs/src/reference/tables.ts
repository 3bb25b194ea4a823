/** Tables of the reference in markdown. */
import type { Row } from './fields.js';

export const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();

/** The fields of a request. A required one says so. */
export function requestTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, type, required, meaning }) =>
      `| \`${name}\`${required ? ' **required**' : ''} | ${cell(type)} | ${cell(meaning) || '–'} |`,
  );
  return ['| Field | Type | Meaning |', '|---|---|---|', ...lines].join('\n');
}

/** The fields of what the gateway sends. They are always there. */
export const fieldTable = (rows: readonly Row[]): string =>
  requestTable(rows.map((row) => ({ ...row, required: false })));
