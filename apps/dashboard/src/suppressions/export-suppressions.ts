import { csvField } from '@kurir/contracts/dashboard';
import { useMutation } from '@tanstack/react-query';
import { call } from '../http/call.js';
import { saveText } from '../http/save-text.js';
import type { Suppression } from './suppression-queries.js';

const columns = ['phone', 'user_id', 'scope', 'reason', 'message_id', 'added_by', 'created_at'] as const;
const pageSize = 100;

const csvLine = (fields: readonly (string | null)[]): string => `${fields.map(csvField).join(',')}\r\n`;

async function readAll(): Promise<string> {
  const lines = [csvLine(columns)];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
    const page: { suppressions: Suppression[]; next_cursor: string | null } = await call('listSuppressions', { query });
    lines.push(...page.suppressions.map((row) => csvLine(columns.map((column) => row[column]))));
    cursor = page.next_cursor;
  }
  return lines.join('');
}

/** Reads all pages and lets the browser save them as one file. */
export const useExport = () =>
  useMutation({ mutationFn: async () => saveText('kurir-suppressions.csv', await readAll()) });
