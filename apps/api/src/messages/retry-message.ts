/**
 * Sends the content of a message to its recipient again, as a new message. The new client_ref names the first message,
 * so a second request gives the same retry. A message that may have been sent is not retried.
 */
import { type AccountId, ApiError, type Content, isMessageId, limits, type SendInput } from '@kurir/contracts';
import { type MessageView, readForRetry, readMessage } from '@kurir/database';
import { acceptOne, withAudit, newMessage } from './accept.js';
import { jobNotFound } from './job-not-found.js';
import { mayRetry } from './may-change.js';
import type { Api } from '../operations/api.js';
import type { Handler } from '../operations/operation-request.js';

const notRetryable = (why: string) => new ApiError('JOB_NOT_RETRYABLE', why);

type Retryable = { readonly message: MessageView; readonly content: Content; readonly ttlSeconds: number | null };

/** Returns the message with its content, or throws the refusal. */
async function requireRetryable({ database, accountKeys }: Api, accountId: AccountId, id: string): Promise<Retryable> {
  if (!isMessageId(id)) throw jobNotFound();
  const found = await readMessage(database, accountId, id);
  const kept = found === null ? null : await readForRetry(database, accountKeys, accountId, id);
  if (found === null || kept === null) throw jobNotFound();
  if (!mayRetry(found.message))
    throw notRetryable(
      'Only a message that failed, expired or was cancelled can be sent again. This one may have been sent.',
    );
  if (kept.content === null)
    throw notRetryable('The text of this message is no longer stored. Send it as a new message.');
  return { message: found.message, content: kept.content, ttlSeconds: kept.ttlSeconds };
}

function retryInput({ message, content, ttlSeconds }: Retryable): SendInput {
  const { id, recipient, priority, category } = message;
  const ttl = ttlSeconds === null ? null : Math.min(Math.max(ttlSeconds, limits.ttlMinSeconds), limits.ttlMaxSeconds);
  return { content, recipient, clientRef: `retry:${id}`, priority, category, ttlSeconds: ttl, sendAt: null };
}

export const retryMessage: Handler<'retryMessage'> = async ({ id, caller, auditAs, params, traceparent }, api) => {
  const retryable = await requireRetryable(api, caller.accountId, params.job_id);
  const { id: firstId, deviceId } = retryable.message;
  const retry = newMessage({ id, caller, deviceId }, retryInput(retryable), 0);
  const accepted = await acceptOne(api, withAudit(retry, auditAs('message.retried'), firstId), traceparent);
  return { job_id: accepted.jobId };
};
