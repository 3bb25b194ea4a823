import { isMessageId } from '@kurir/contracts';
import { readMessage } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { jobNotFound } from './job-not-found.js';
import { mayCancel, mayRetry } from './may-change.js';
import { showJob } from './show-job.js';

export const getMessage: Handler<'getMessage'> = async ({ caller, params }, { database }) => {
  const found = isMessageId(params.job_id) ? await readMessage(database, caller.accountId, params.job_id) : null;
  if (found === null) throw jobNotFound();
  return {
    ...showJob(found.message),
    attempts: found.attempts,
    request_id: found.requestId,
    sent_by: { id: found.sender, name: found.senderName },
    can_cancel: mayCancel(found),
    can_retry: mayRetry(found.message),
    timeline: found.timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
  };
};
