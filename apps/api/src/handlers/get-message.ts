import { ApiError, isMessageId } from '@kurir/contracts';
import { readMessage } from '@kurir/database';
import type { Handler } from '../verified-request.js';
import { showJob } from './show-job.js';

/** Also what another account's job answers. */
export const jobNotFound = () =>
  new ApiError('JOB_NOT_FOUND', 'The account has no job of this id. Use a job_id that a send answered.');

export const getMessage: Handler<'getMessage'> = async ({ caller, params }, { database }) => {
  const found = isMessageId(params.job_id) ? await readMessage(database, caller.accountId, params.job_id) : null;
  if (found === null) throw jobNotFound();
  const { message, attempts, requestId } = found;
  const timeline = found.timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
  return { data: { ...showJob(message), attempts, request_id: requestId, timeline } };
};
