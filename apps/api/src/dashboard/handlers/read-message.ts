import { type AccountId, isMessageId, refundedStatuses } from '@kurir/contracts';
import type { DashboardData } from '@kurir/contracts/dashboard';
import {
  type Database,
  type MessageOrigin,
  type MessageView,
  readMessage as read,
  readMessageOrigin,
} from '@kurir/database';
import { jobNotFound } from '../../handlers/get-message.js';
import { showJob } from '../../handlers/show-job.js';
import type { DashboardHandler } from '../dashboard-request.js';

/** What certainly did not go out; of anything else a second copy could arrive. */
export const mayRetry = ({ status }: MessageView): boolean => (refundedStatuses as readonly string[]).includes(status);

const mayCancel = ({ status }: MessageView, { unanswered }: MessageOrigin): boolean =>
  (status === 'queued' || status === 'scheduled') && unanswered === 0;

export async function readShownMessage(
  database: Database,
  accountId: AccountId,
  jobId: string,
): Promise<DashboardData<'readMessage'>> {
  const id = isMessageId(jobId) ? jobId : null;
  const found = id === null ? null : await read(database, accountId, id);
  const origin = id === null || found === null ? null : await readMessageOrigin(database, accountId, id);
  if (found === null || origin === null) throw jobNotFound();
  const { message, attempts, requestId, timeline } = found;
  return {
    ...showJob(message),
    timeline: timeline.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
    attempts,
    sent_by: { id: origin.sender, name: origin.senderName },
    request_id: requestId,
    can_cancel: mayCancel(message, origin),
    can_retry: mayRetry(message),
  };
}

export const readMessage: DashboardHandler<'readMessage'> = ({ visitor, params }, { database }) =>
  readShownMessage(database, visitor.membership.accountId, params.job_id);
