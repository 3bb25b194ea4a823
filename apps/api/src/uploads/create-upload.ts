import { ApiError, limits } from '@kurir/contracts';
import { createUpload as create } from '@kurir/database/uploads';
import type { Handler } from '../operations/operation-request.js';
import { requireUpload } from './require-upload.js';
import { showUpload } from './show-upload.js';

export const createUpload: Handler<'createUpload'> = async ({ caller, body }, { database }) => {
  const { accountId } = caller;
  const id = await create(database, { accountId, ...body });
  if (id === 'too-many')
    throw new ApiError(
      'UPLOAD_LIMIT_REACHED',
      `An account keeps at most ${limits.uploadsMax} uploads. Import one of them, or wait: unused ones go after ${limits.uploadKeptHours} hours.`,
    );
  return showUpload(await requireUpload(database, accountId, id));
};
