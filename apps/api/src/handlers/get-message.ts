import { ApiError, isMessageId, refundedStatuses } from '@kurir/contracts';
import { type MessageHistory, type MessageView, readMessage } from '@kurir/database';
import type { Handler } from '../verified-request.js';
import { showJob } from './show-job.js';

/** Another account's job gets this, too. */
export const jobNotFound = () =>
  new ApiError('JOB_NOT_FOUND', 'The account has no job of this id. Use a job_id that a send answered.');

/** Only what certainly did not go out: of anything else a second copy could arrive. */
export const mayRetry = ({ status }: MessageView): boolean => (refundedStatuses as readonly string[]).includes(status);

const mayCancel = ({ message: { status }, unanswered }: MessageHistory): boolean =>
  (status === 'queued' || status === 'scheduled') && unanswered === 0;

export const getMessage: Handler<'getMessage'> = async ({ caller, params }, { database }) => {
  const found = isMessageId(params.job_id) ? await readMessage(database, caller.accountId, params.job_id) : null;
  if (found === null) throw jobNotFound();
  return {
    data: {
      ...showJob(found.message),
      attempts: found.attempts,
      request_id: found.requestId,
      sent_by: { id: found.sender, name: found.senderName },
      can_cancel: mayCancel(found),
      can_retry: mayRetry(found.message),
      timeline: found.timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
    },
  };
};
