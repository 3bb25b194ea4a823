/** Sends the text of a broadcast to one number as a single message. The broadcast does not know of it. */
import { ApiError, textContent } from '@kurir/contracts';
import { readTestText, type TestText } from '@kurir/database/broadcasts';
import { acceptOne, newMessage, withAudit } from '../messages/accept.js';
import type { Handler } from '../operations/operation-request.js';
import { asBroadcastId, broadcastNotFound } from './require-broadcast.js';
import { wrongState } from './wrong-state.js';

const refusals = {
  too_long: 'the text for these values is too long for a message',
  empty: 'the text for these values is empty',
  not_storable: 'the text for these values is not a text',
} as const;

function requireText({ state, rendering }: TestText): string {
  if (state === 'finished' || state === 'cancelled' || rendering === null) throw wrongState('testBroadcast', state);
  switch (rendering.kind) {
    case 'text':
      return rendering.text;
    case 'missing':
      throw new ApiError(
        'INVALID_REQUEST',
        `values: ${rendering.names.join(', ')} has no value, and the text has no fallback for it.`,
        { fault: { field: 'values', rule: 'required' } },
      );
    case 'refused':
      throw new ApiError('INVALID_REQUEST', `values: ${refusals[rendering.reason]}.`);
  }
}

export const testBroadcast: Handler<'testBroadcast'> = async (request, api) => {
  const { caller, params, body, auditAs } = request;
  const whose = { id: asBroadcastId(params.broadcast_id), accountId: caller.accountId };
  const asked = { recipient: body.phone, values: body.values };
  const test = await readTestText(api.database, api.accountKeys, whose, asked);
  if (test === null) throw broadcastNotFound();
  const input = {
    content: textContent(requireText(test)),
    recipient: body.phone,
    clientRef: null,
    priority: 'normal',
    category: test.category,
    ttlSeconds: null,
    sendAt: null,
  } as const;
  const message = newMessage({ id: request.id, caller, deviceId: test.deviceId }, input, 0);
  const { jobId } = await acceptOne(api, withAudit(message, auditAs('message.sent')), request.traceparent);
  return { job_id: jobId };
};
