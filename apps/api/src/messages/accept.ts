/**
 * Step 3, accept: stores a message, and after the commit enqueues a ticket of its lane. It may assume that the input is
 * parsed. If it runs twice, the database recognises the repeat and returns the first answer. If enqueuing fails, the
 * sweep enqueues the ticket later.
 */
import {
  type AccountId,
  ApiError,
  type ApiKeyId,
  type DeviceId,
  limits,
  type MessageId,
  newId,
  priorityRanks,
  type SendInput,
  type UserId,
} from '@kurir/contracts';
import { type AcceptOutcome, type AcceptRefusal, type Audit, type NewMessage } from '@kurir/database';
import type { Ticket } from '@kurir/queue';
import type { Api } from '../operations/api.js';
import { acceptTraced } from './trace-acceptance.js';

/** The caller. Its `repeatKey` makes a repeated request recognisable. */
type Sender = {
  readonly accountId: AccountId;
  readonly actor: ApiKeyId | UserId;
  readonly repeatKey: Buffer;
};

type Request = { readonly id: string; readonly caller: Sender; readonly deviceId: DeviceId };

export function newMessage(request: Request, input: SendInput, position: number): NewMessage {
  const { accountId, actor, repeatKey } = request.caller;
  const { id: requestId, deviceId } = request;
  return { id: newId('msg'), accountId, deviceId, keyId: actor, requestId, repeatKey, position, input };
}

/** Adds an audit row, which is stored with the message. Its subject is the message, unless `subject` is given. */
export function withAudit(message: NewMessage, audit: Audit | undefined, subject: MessageId = message.id): NewMessage {
  if (audit === undefined) return message;
  const { accountId: _message, ...noted } = audit;
  return { ...message, audit: { ...noted, subject } };
}

function ticketOf(message: NewMessage, outcome: AcceptOutcome, nowMs: number): Ticket[] {
  const { deviceId, requestId, input } = message;
  const isDue = input.sendAt === null || input.sendAt.getTime() <= nowMs;
  if (outcome.kind !== 'accepted' || !isDue) return [];
  return [{ messageId: outcome.messageId, deviceId, priority: priorityRanks[input.priority], requestId }];
}

/** Offers tickets for the messages that were accepted just now and are due. Never throws and never waits. */
export function enqueueAccepted(api: Api, messages: readonly NewMessage[], outcomes: readonly AcceptOutcome[]): void {
  const now = api.now();
  const tickets = messages.flatMap((message, i) => {
    const outcome = outcomes[i];
    return outcome === undefined ? [] : ticketOf(message, outcome, now);
  });
  if (tickets.length > 0) api.enqueuer.offer(tickets);
  if (outcomes.some(({ kind }) => kind === 'accepted')) api.signalLivePages();
}

const refusals: Record<AcceptRefusal, string> = {
  INVALID_REQUEST: `send_at: is in the past. Give a time between now and ${limits.sendAtMaxDays} days ahead, or leave it out.`,
  DEVICE_NOT_FOUND:
    'The account has no device with this id. Take the id from the dashboard or from GET /api/v1/devices.',
  KEY_NOT_ALLOWED:
    'This is a test key, which only sends with devices of a sandbox network. Use a live key, or a device of the network simulator.',
  DEVICE_NOT_CONNECTED: 'The device is not connected. Link or reconnect it, then send again.',
  RECIPIENT_SUPPRESSED:
    'The recipient gets no messages of this category from your account. GET /api/v1/suppressions?phone= shows why; do not send again unless the person asks for it.',
  EXPIRES_IN_QUIET_HOURS:
    'Marketing goes out between 08:00 and 21:00 of the recipient, and the message would expire before that. Give it a longer ttl_seconds or none, or give the contact a time_zone.',
  PLAN_EXPIRED: 'The account has no running subscription period. Renew it with POST /api/v1/account/renew and pay.',
  QUOTA_EXHAUSTED:
    'The quota of the running period is used up. Renew with POST /api/v1/account/renew: a new period opens at once.',
  REPLAYED_REQUEST: 'This signature was used before with another X-Device-Id. Sign again with a new X-Timestamp.',
  IDEMPOTENCY_KEY_REUSED:
    'client_ref was used before for another message. Use a new client_ref, or repeat the first request unchanged.',
};

type Refused = Omit<Extract<AcceptOutcome, { kind: 'refused' }>, 'kind'>;

export function refusalOf({ code, firstId }: Refused): ApiError {
  const first = firstId === undefined ? '' : ` The first one is ${firstId}.`;
  // Only a time in the past makes the request itself invalid here.
  return code === 'INVALID_REQUEST'
    ? new ApiError(code, refusals[code], { fault: { field: 'send_at', rule: 'past' } })
    : new ApiError(code, `${refusals[code]}${first}`);
}

/**
 * Stores one message, or throws its refusal. `replayed` says that it was stored before. `traceparent` is the span of the
 * request, if it is traced.
 */
export async function acceptOne(
  api: Api,
  message: NewMessage,
  traceparent: string | null,
): Promise<{ jobId: MessageId; replayed: boolean }> {
  const outcome = await acceptTraced(api.acceptor, message, traceparent);
  if (outcome.kind === 'refused') throw refusalOf(outcome);
  enqueueAccepted(api, [message], [outcome]);
  return { jobId: outcome.messageId, replayed: outcome.kind === 'repeated' };
}
