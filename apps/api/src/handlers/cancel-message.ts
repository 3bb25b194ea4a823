import { type AccountId, ApiError, isMessageId } from '@kurir/contracts';
import { cancelMessage as cancel, type Database, recordAudit } from '@kurir/database';
import type { Handler } from '../verified-request.js';
import { jobNotFound } from './get-message.js';

async function cancelJob(database: Database, accountId: AccountId, jobId: string): Promise<void> {
  const outcome = isMessageId(jobId) ? await cancel(database, accountId, jobId) : 'not-found';
  if (outcome === 'not-found') throw jobNotFound();
  if (outcome === 'not-cancellable')
    throw new ApiError(
      'JOB_NOT_CANCELLABLE',
      'The message is already being sent or has ended. Look it up to see where it stands.',
    );
}

export const cancelMessage: Handler<'cancelMessage'> = async ({ caller, params }, { database }) => {
  const { accountId, keyId, by } = caller;
  await cancelJob(database, accountId, params.job_id);
  // Of a key's messages the message itself is the record.
  if (by === 'person')
    await recordAudit(database, { accountId, actor: keyId, action: 'message.cancelled', subject: params.job_id });
  return { data: { job_id: params.job_id, status: 'cancelled' } };
};
