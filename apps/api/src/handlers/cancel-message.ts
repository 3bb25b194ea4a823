import { ApiError, isMessageId } from '@kurir/contracts';
import { cancelMessage as cancel } from '@kurir/database';
import type { Handler } from '../verified-request.js';
import { jobNotFound } from './get-message.js';

export const cancelMessage: Handler<'cancelMessage'> = async ({ caller, params }, { database }) => {
  const { accountId, keyId: actor, by } = caller;
  const { job_id: jobId } = params;
  // Of a key's messages the message itself is the record.
  const audit = by === 'person' ? ({ accountId, actor, action: 'message.cancelled' } as const) : undefined;
  const outcome = isMessageId(jobId) ? await cancel(database, accountId, jobId, audit) : 'not-found';
  if (outcome === 'not-found') throw jobNotFound();
  if (outcome === 'not-cancellable')
    throw new ApiError(
      'JOB_NOT_CANCELLABLE',
      'The message is already being sent or has ended. Look it up to see where it stands.',
    );
  return { data: { job_id: jobId, status: 'cancelled' } };
};
