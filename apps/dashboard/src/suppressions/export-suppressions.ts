import { csvField } from '@kurir/contracts/dashboard';
import { useMutation } from '@tanstack/react-query';
import { call } from '../http/call.js';
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

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'kurir-suppressions.csv';
  link.click();
  URL.revokeObjectURL(address);
}

/** Reads all pages and lets the browser save them as one file. */
export const useExport = () => useMutation({ mutationFn: async () => download(await readAll()) });
