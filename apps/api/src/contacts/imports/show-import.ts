import type { DataOf } from '@kurir/contracts';
import type { ImportView, Refusal } from '@kurir/database/contacts';
import { problemSentence, refusalSentence } from './sentences.js';

type Shown = DataOf<'getContactImport'>;

export function showImport(given: ImportView): Shown {
  const refused = Object.entries(given.refused).sort(([, a], [, b]) => b - a);
  return {
    import_id: given.id,
    upload_id: given.uploadId,
    file_name: given.fileName,
    state: given.state,
    problem:
      given.problem === null
        ? null
        : { code: given.problem, row: given.problemRow, error: problemSentence(given.problem) },
    progress: given.bytes === 0 ? 1 : Math.round((given.readBytes / given.bytes) * 1_000) / 1_000,
    rows: given.rows,
    added: given.added,
    updated: given.updated,
    unchanged: given.unchanged,
    refused: refused.reduce((sum, [, rows]) => sum + rows, 0),
    refused_by_code: refused.map(([code, rows]) => ({ code, rows, error: refusalSentence(code) })),
    created_at: given.createdAt.toISOString(),
    ended_at: given.endedAt?.toISOString() ?? null,
  };
}

export const showRefusal = ({
  row,
  column,
  value,
  code,
  sameAsRow,
}: Refusal): DataOf<'listRefusedRows'>['refused'][number] => ({
  row,
  column,
  value,
  code,
  same_as_row: sameAsRow,
  error: refusalSentence(code),
});
