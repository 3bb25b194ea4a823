import type { Suppression } from '../../contract/call-types.js';
import { toSnakeCase } from '../../contract/wire-case.js';
import type { Cli } from '../terminal/cli.js';

const columns = ['phone', 'userId', 'scope', 'reason', 'messageId', 'addedBy', 'createdAt'] as const;
const pageSize = 100;

/** Where a spreadsheet would begin a formula. Some separate cells by semicolons or tabs, too. */
const formula = /(?<=^|[;,\t\r\n"])(?=["\s]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

function csvField(value: string | null): string {
  const text = (value ?? '').replace(formula, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvLine = (fields: readonly (string | null)[]): string => `${fields.map(csvField).join(',')}\r\n`;

/** Writes page by page. With --json each line is one suppression in the form of the API. */
export async function exportSuppressions(cli: Cli, query: { scope?: Suppression['scope'] | undefined }): Promise<void> {
  const { stdout } = cli.surroundings;
  const header = Object.keys(toSnakeCase(Object.fromEntries(columns.map((column) => [column, '']))));
  if (!cli.json) stdout.write(csvLine(header));
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { suppressions: Suppression[]; nextCursor: string | null } = await cli.client.listSuppressions({
      ...query,
      limit: pageSize,
      cursor,
    });
    for (const suppression of page.suppressions)
      stdout.write(
        cli.json
          ? `${JSON.stringify(toSnakeCase(suppression))}\n`
          : csvLine(columns.map((column) => suppression[column])),
      );
    cursor = page.nextCursor;
  }
}
