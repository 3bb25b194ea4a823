/** Begins an import. The columns of the file are checked first, so that a wrong mapping is told at once. */
import { ApiError, isUploadId, limits } from '@kurir/contracts';
import { beginImport, findImportOf, type ImportView } from '@kurir/database/contacts';
import type { Handler } from '../../operations/operation-request.js';
import { notReady, requireColumns, requireComplete, requireFile, under } from '../../uploads/require-file.js';
import { showImport } from './show-import.js';

const used = () => notReady('The upload is used already, in another way. Send the file again as a new upload.');

export const createContactImport: Handler<'createContactImport'> = async (request, { database }) => {
  const { caller, body, auditAs } = request;
  const { accountId } = caller;
  const { uploadId, consent, ...rest } = body;
  const wish = { ...rest, consentSource: consent?.source ?? null, consentAt: consent?.at ?? null };
  const first = isUploadId(uploadId) ? await findImportOf(database, accountId, uploadId, wish) : null;
  if (first === 'used') throw used();
  if (first !== null) return showImport(first);
  const upload = await requireComplete(database, accountId, uploadId);
  const { attributes, ...fields } = wish.mapping;
  const { columns, separator } = await requireFile(database, upload);
  requireColumns(columns, { ...under('mapping', fields), ...under('mapping.attributes', attributes) });
  const begun: ImportView | 'used' | 'too-many' = await beginImport(
    database,
    accountId,
    upload,
    { ...wish, columns, separator },
    auditAs('contacts.imported'),
  );
  if (begun === 'used') throw used();
  if (begun === 'too-many')
    throw new ApiError(
      'IMPORT_LIMIT_REACHED',
      `At most ${limits.importsMax} imports of an account wait or run. Wait until one has ended, or cancel one.`,
    );
  return showImport(begun);
};
