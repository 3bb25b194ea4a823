/** `kurir contacts import`: sends a file in parts, begins the import, and follows it. */
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { KurirUsageError } from '../../calls/errors.js';
import type { Answer } from '../../contract/call-types.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { harmless } from '../terminal/layout.js';
import { gather } from '../terminal/gather.js';
import { showBar } from '../terminal/progress.js';
import { sendFile } from '../uploads/send-file.js';
import { type ImportMapping, parseMapping } from './parse-mapping.js';

type Import = Answer<'getContactImport'>;
type Flags = { list: string[]; map?: ImportMapping; consent?: string; keep?: true; report?: string; wait: boolean };

const pollMs = 1_000;
const shownRefusals = 10;

export function addImportCommand(contacts: Command, begin: Begin): void {
  contacts
    .command('import')
    .argument('<file>', 'a CSV or NDJSON file')
    .description('Import contacts from a file. A worker of the gateway reads it.')
    .option('--list <name>', 'add the contacts to this list; may stand several times', gather, [])
    .option('--map <fields>', 'field=column with commas between; other fields are attributes', parseMapping)
    .option('--consent <source>', 'where the people agreed to get messages')
    .option('--keep', 'leave contacts that are there already as they are')
    .option('--report <file>', 'write the refused rows to this file, as CSV')
    .option('--no-wait', 'do not wait for the end')
    .addHelpText(
      'after',
      '\nExample:\n  $ kurir contacts import pelanggan.csv --list promo --map phone=HP,name=Nama,kota=Kota\n',
    )
    .action(async (file: string, flags: Flags, own: Command) => {
      const cli = begin(own);
      const uploadId = await sendFile(cli, file);
      const mapping = flags.map ?? (await guess(cli, uploadId));
      const begun = await cli.client.createContactImport({
        uploadId,
        mapping,
        lists: flags.list,
        consent: flags.consent === undefined ? undefined : { source: flags.consent },
        onExisting: flags.keep ? 'keep' : 'update',
      });
      const ended = flags.wait ? await follow(cli, begun) : begun;
      if (flags.wait && flags.report !== undefined) await writeReport(cli, ended.importId, flags.report);
      await tell(cli, ended, flags);
    });
}

/** Without --map, the gateway's guess counts. */
async function guess(cli: Cli, uploadId: string): Promise<ImportMapping> {
  const { file, problem } = await cli.client.getUpload(uploadId);
  if (file === null) throw new KurirUsageError(problem?.error ?? 'The file cannot be read.');
  const { phone, name, locale, timeZone } = file.mapping;
  const columns = harmless(file.columns.join(', '));
  if (phone === null)
    throw new KurirUsageError(
      `No column looks like phone numbers. Name it with --map phone=COLUMN. Columns: ${columns}`,
    );
  cli.say(`phone: ${harmless(phone)}${name === null ? '' : `, name: ${harmless(name)}`}. Change it with --map.`);
  return {
    phone,
    ...(name === null ? {} : { name }),
    ...(locale === null ? {} : { locale }),
    ...(timeZone === null ? {} : { timeZone }),
  };
}

async function follow(cli: Cli, begun: Import): Promise<Import> {
  for (let now = begun; ; now = await cli.client.getContactImport(begun.importId)) {
    const isOver = now.endedAt !== null;
    showBar(cli, isOver ? 1 : Math.min(now.progress, 0.99), `${now.rows} rows`);
    if (isOver) return now;
    await cli.clock.sleep(pollMs);
  }
}

async function writeReport(cli: Cli, importId: string, file: string): Promise<void> {
  const handle = await open(resolve(cli.surroundings.folder, file), 'w');
  try {
    for await (const text of cli.client.exportRefusedRows(importId)) await handle.write(text);
  } finally {
    await handle.close();
  }
}

async function refusedLines(cli: Cli, ended: Import): Promise<string[]> {
  if (ended.refused === 0) return [];
  const { refused } = await cli.client.listRefusedRows(ended.importId, { limit: shownRefusals });
  const lines = refused.map(({ row, value, code }) => `  row ${row}  ${harmless(`${code}  ${value}`)}`);
  const advice = ended.refusedByCode.map(({ code, rows, error }) => harmless(`${rows} ${code}: ${error}`));
  const more = ended.refused > refused.length ? [`  … ${ended.refused - refused.length} more. Use --report FILE.`] : [];
  return [...advice, ...lines, ...more];
}

async function tell(cli: Cli, ended: Import, { wait }: Flags): Promise<void> {
  const { state, rows, added, updated, unchanged, refused, problem } = ended;
  const lines = wait && !cli.json ? await refusedLines(cli, ended) : [];
  cli.print(ended, () => [
    `${state}  ${ended.importId}`,
    ...(wait ? [`${rows} rows: ${added} added, ${updated} updated, ${unchanged} unchanged, ${refused} refused`] : []),
    ...(problem === null ? [] : [`${problem.row === null ? '' : `row ${problem.row}: `}${harmless(problem.error)}`]),
    ...lines,
  ]);
  if (wait && (state !== 'done' || refused > 0)) cli.exitWith(exitCodes.refused);
}
