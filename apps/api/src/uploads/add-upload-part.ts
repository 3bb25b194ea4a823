import { ApiError, limits } from '@kurir/contracts';
import { storePart } from '@kurir/database/uploads';
import type { Handler } from '../operations/operation-request.js';
import { requireUpload, requireUploadId, uploadNotFound } from './require-upload.js';
import { showUpload } from './show-upload.js';

const invalid = (sentence: string) => new ApiError('INVALID_REQUEST', sentence);

/** `Buffer.from` skips what is no base64, so the length is compared. */
function decode(data: string): Buffer {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) throw invalid('data: must be base64 with its padding, without line ends.');
  if (bytes.length > limits.uploadPartMaxBytes)
    throw invalid(`data: must hold at most ${limits.uploadPartMaxBytes} bytes.`);
  return bytes;
}

export const addUploadPart: Handler<'addUploadPart'> = async ({ caller, params, body }, { database }) => {
  const which = { accountId: caller.accountId, uploadId: requireUploadId(params.upload_id) };
  const stored = await storePart(database, which, { number: body.number, bytes: decode(body.data) });
  if (stored === 'not-found') throw uploadNotFound();
  if (stored === 'differs')
    throw invalid(`number: part ${body.number} is stored with other bytes. Begin a new upload to send another file.`);
  if (stored === 'too-big') throw invalid('data: the parts hold more bytes than the upload has. Check `bytes`.');
  return showUpload(await requireUpload(database, caller.accountId, which.uploadId));
};
