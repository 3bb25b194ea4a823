import { ApiError, isMessageId } from '@kurir/contracts';
import { cancelMessage as cancel } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { jobNotFound } from './job-not-found.js';

const notCancellable = () =>
  new ApiError(
    'JOB_NOT_CANCELLABLE',
    'The message is already being sent, or it has reached its final status. Look up its status.',
  );

export const cancelMessage: Handler<'cancelMessage'> = async ({ caller, auditAs, params }, { database }) => {
  const { job_id: jobId } = params;
  if (!isMessageId(jobId)) throw jobNotFound();
  const outcome = await cancel(database, caller.accountId, jobId, auditAs('message.cancelled'));
  if (outcome === 'not-found') throw jobNotFound();
  if (outcome === 'not-cancellable') throw notCancellable();
  return { job_id: jobId, status: 'cancelled' };
};
