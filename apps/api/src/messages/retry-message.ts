/**
 * The same content to the same number again, as a new message. Its client_ref names the first one, so that asking twice
 * gives one message. What may have gone out is not sent a second time.
 */
import { ApiError, type Content, isMessageId, limits, type SendInput } from '@kurir/contracts';
import { type MessageView, readForRetry, readMessage } from '@kurir/database';
import { acceptOne, withAudit, newMessage } from './accept.js';
import { jobNotFound } from './job-not-found.js';
import { mayRetry } from './may-change.js';
import type { Handler } from '../operations/operation-request.js';

const notRetryable = (why: string) => new ApiError('JOB_NOT_RETRYABLE', why);

function secondTry(message: MessageView, content: Content, ttlSeconds: number | null): SendInput {
  const { id, recipient, priority } = message;
  const ttl = ttlSeconds === null ? null : Math.min(Math.max(ttlSeconds, limits.ttlMinSeconds), limits.ttlMaxSeconds);
  return { content, recipient, clientRef: `retry:${id}`, priority, ttlSeconds: ttl, sendAt: null };
}

export const retryMessage: Handler<'retryMessage'> = async ({ id, caller, auditAs, params }, api) => {
  const { database, accountKeys } = api;
  const { accountId } = caller;
  const jobId = isMessageId(params.job_id) ? params.job_id : null;
  const found = jobId === null ? null : await readMessage(database, accountId, jobId);
  const kept = jobId === null || found === null ? null : await readForRetry(database, accountKeys, accountId, jobId);
  if (found === null || kept === null) throw jobNotFound();
  if (!mayRetry(found.message))
    throw notRetryable(
      'Only a message that failed, expired or was cancelled is sent again; this one may have gone out.',
    );
  if (kept.content === null)
    throw notRetryable('The text of this message is no longer kept. Send it again as a new message.');
  const { message } = found;
  const input = secondTry(message, kept.content, kept.ttlSeconds);
  const again = newMessage({ id, caller, deviceId: message.deviceId }, input, 0);
  const accepted = await acceptOne(api, withAudit(again, auditAs('message.retried'), message.id));
  return { job_id: accepted.jobId };
};
