/**
 * The same content to the same number again, as a new message. Its client_ref names the first one, so that asking twice
 * gives one message. What may have gone out is not sent a second time.
 */
import { randomBytes } from 'node:crypto';
import { ApiError, type Content, isMessageId, limits, type SendInput } from '@kurir/contracts';
import { type MessageView, readForRetry, readMessage } from '@kurir/database';
import { acceptOne, newMessageOfPerson } from '../../accept.js';
import { jobNotFound, mayRetry } from '../../handlers/get-message.js';
import type { DashboardHandler } from '../dashboard-request.js';

/** Nobody repeats this by its bytes: they are never the same twice. */
const repeatKeyBytes = 32;

const notRetryable = (why: string) => new ApiError('JOB_NOT_RETRYABLE', why);

function secondTry(message: MessageView, content: Content, ttlSeconds: number | null): SendInput {
  const { id, recipient, priority } = message;
  const ttl = ttlSeconds === null ? null : Math.min(Math.max(ttlSeconds, limits.ttlMinSeconds), limits.ttlMaxSeconds);
  return { content, recipient, clientRef: `retry:${id}`, priority, ttlSeconds: ttl, sendAt: null };
}

export const retryMessage: DashboardHandler<'retryMessage'> = async ({ id, visitor, params }, api) => {
  const { database, accountKeys } = api;
  const { accountId } = visitor.membership;
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
  const again = newMessageOfPerson(
    {
      id,
      caller: { accountId, keyId: visitor.user.id, repeatKey: randomBytes(repeatKeyBytes) },
      deviceId: message.deviceId,
    },
    input,
    message.id,
  );
  const accepted = await acceptOne(api, again);
  return { job_id: accepted.jobId };
};
