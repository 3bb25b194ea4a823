import { ApiError, limits, type SendInput } from '@kurir/contracts';
import { acceptOne, withAudit, newMessage } from './accept.js';
import { requireOwnChat } from '../conversations/require-own-chat.js';
import { resolveChat } from './resolve-chat.js';
import { type Handler, Replayed } from '../operations/operation-request.js';

/** The header Idempotency-Key is another name for client_ref. */
function withIdempotencyKey(input: SendInput, key: string | null): SendInput {
  if (key === null || key === input.clientRef) return input;
  if (input.clientRef !== null)
    throw new ApiError(
      'INVALID_REQUEST',
      'client_ref: differs from the header Idempotency-Key. Send one of them, or the same in both.',
    );
  if (key.length < 1 || key.length > limits.clientRefMaxLength)
    throw new ApiError('INVALID_REQUEST', `Idempotency-Key: must be 1 to ${limits.clientRefMaxLength} characters.`);
  return { ...input, clientRef: key };
}

export const sendMessage: Handler<'sendMessage'> = async (request, api) => {
  const { caller, deviceId } = request;
  requireOwnChat(caller, request.body.conversationId);
  const place = { accountId: caller.accountId, deviceId };
  const input = await resolveChat(api, place, withIdempotencyKey(request.body, request.idempotencyKey));
  const message = withAudit(newMessage(request, input, 0), request.auditAs('message.sent'));
  const { jobId, replayed } = await acceptOne(api, message, request.traceparent);
  const data = { job_id: jobId };
  return replayed ? new Replayed(data) : data;
};
