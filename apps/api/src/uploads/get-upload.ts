import type { DataOf } from '@kurir/contracts';
import { readHome } from '@kurir/database/contacts';
import { fileSentence, RowFileError } from '@kurir/row-files';
import type { Handler } from '../operations/operation-request.js';
import { guessMapping } from './guess-mapping.js';
import { type FileBeginning, readBeginning } from './read-file.js';
import { requireUpload } from './require-upload.js';
import { showUpload } from './show-upload.js';

const showFile = (file: FileBeginning, country: string): DataOf<'getUpload'>['file'] => ({
  form: file.form,
  encoding: file.encoding,
  separator: file.separator,
  columns: [...file.columns],
  mapping: guessMapping(
    file.columns,
    file.preview.map(({ values }) => values),
    country,
  ),
  preview: file.preview,
});

export const getUpload: Handler<'getUpload'> = async ({ caller, params }, { database }) => {
  const upload = await requireUpload(database, caller.accountId, params.upload_id);
  const shown = showUpload(upload);
  if (!upload.hasBegun) return { ...shown, file: null, problem: null };
  try {
    const file = await readBeginning(database, upload);
    return { ...shown, file: showFile(file, (await readHome(database, caller.accountId)).country), problem: null };
  } catch (error) {
    if (!(error instanceof RowFileError)) throw error;
    return { ...shown, file: null, problem: { code: error.problem, error: fileSentence(error.problem) } };
  }
};
