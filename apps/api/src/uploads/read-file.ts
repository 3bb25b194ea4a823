/** Reads the beginning of an upload: its form, its columns and its first rows. */
import { limits } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { readUploadBytes, type UploadView } from '@kurir/database/uploads';
import { openRows, RowFileError, type RowFile } from '@kurir/row-files';

export type PreviewRow = { readonly row: number; readonly values: string[] };

export type FileBeginning = Omit<RowFile, 'rows'> & { readonly preview: PreviewRow[] };

async function readPreview(rows: RowFile['rows'], isComplete: boolean): Promise<PreviewRow[]> {
  const preview: PreviewRow[] = [];
  let hasAll = true;
  try {
    for await (const list of rows) {
      preview.push(...list.flatMap((row) => ('values' in row ? [{ row: row.row, values: [...row.values] }] : [])));
      hasAll = preview.length < limits.uploadPreviewRows;
      if (!hasAll) break;
    }
  } catch (error) {
    // The rows before the fault are shown. The import tells the fault with its row.
    if (!(error instanceof RowFileError)) throw error;
  }
  // The last row of what has arrived may be cut.
  if (hasAll && !isComplete) preview.pop();
  return preview.slice(0, limits.uploadPreviewRows);
}

/** Throws a RowFileError if the file cannot be read. */
export async function readBeginning(database: Database, upload: UploadView): Promise<FileBeginning> {
  const { rows, ...form } = await openRows(readUploadBytes(database, upload.id));
  return { ...form, preview: await readPreview(rows, upload.isComplete) };
}
