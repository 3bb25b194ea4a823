/** Parses each message on its own. The valid messages are stored together or not at all. */
import { setImmediate as yieldToRequests } from 'node:timers/promises';
import {
  ApiError,
  type DataOf,
  type ErrorCode,
  parseInput,
  type SendInput,
  sendRequest,
  withCountry,
} from '@kurir/contracts';
import type { AcceptOutcome, NewMessage } from '@kurir/database';
import { enqueueAccepted, newMessage, refusalOf } from './accept.js';
import { resolveChat } from './resolve-chat.js';
import { acceptBulkTraced } from './trace-acceptance.js';
import { errorEnvelope } from '../http/answer.js';
import type { Api } from '../operations/api.js';
import { type Handler, type OperationRequest, Replayed } from '../operations/operation-request.js';

type Result = DataOf<'sendBulk'>['results'][number];

/** Refusals that concern the whole request: its device, its account or its signature. */
const wholeRequest: ReadonlySet<ErrorCode> = new Set([
  'DEVICE_NOT_FOUND',
  'KEY_NOT_ALLOWED',
  'DEVICE_NOT_CONNECTED',
  'PLAN_EXPIRED',
  'QUOTA_EXHAUSTED',
  'REPLAYED_REQUEST',
] as const);

function parseOne(body: unknown, country: string): SendInput | ApiError {
  try {
    return withCountry(country, () => parseInput(sendRequest, body, 'the message'));
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** How many messages are parsed before other requests get a turn. */
const sliceSize = 100;

/** Most messages name a number and quote nothing; nobody looks anything up for them. */
async function resolveOne(api: Api, request: OperationRequest<'sendBulk'>, input: SendInput | ApiError) {
  if (input instanceof ApiError || (input.conversationId === undefined && input.replyTo === undefined)) return input;
  const { caller, deviceId } = request;
  return resolveChat(api, { accountId: caller.accountId, deviceId }, input).catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}

async function resolveAll(api: Api, request: OperationRequest<'sendBulk'>, inputs: readonly (SendInput | ApiError)[]) {
  const resolved: (SendInput | ApiError)[] = [];
  for (const input of inputs) resolved.push(await resolveOne(api, request, input));
  return resolved;
}

async function parseAll(bodies: readonly unknown[], country: string): Promise<(SendInput | ApiError)[]> {
  const parsed: (SendInput | ApiError)[] = [];
  for (let from = 0; from < bodies.length; from += sliceSize) {
    if (from > 0) await yieldToRequests();
    parsed.push(...bodies.slice(from, from + sliceSize).map((body) => parseOne(body, country)));
  }
  return parsed;
}

const errorResult = (error: ApiError): Result => {
  const { code, error: sentence } = errorEnvelope(error);
  return { code, error: sentence };
};

const outcomeResult = (outcome: AcceptOutcome): Result =>
  outcome.kind === 'refused' ? errorResult(refusalOf(outcome)) : { job_id: outcome.messageId };

/** Throws the refusal of the whole request if every message was refused for that one reason. */
function refuseWhole(outcomes: readonly AcceptOutcome[]): void {
  const [first] = outcomes;
  if (first?.kind !== 'refused' || !wholeRequest.has(first.code)) return;
  if (outcomes.every((outcome) => outcome.kind === 'refused' && outcome.code === first.code)) throw refusalOf(first);
}

function refuseIdempotencyKey(request: OperationRequest<'sendBulk'>): void {
  if (request.idempotencyKey === null) return;
  throw new ApiError(
    'INVALID_REQUEST',
    'Idempotency-Key: names one message, not a bulk. Give each message its own client_ref.',
  );
}

/** One result for each message of the request, in its order. */
function resultsOf(
  parsed: readonly (SendInput | ApiError)[],
  messages: readonly NewMessage[],
  outcomes: readonly AcceptOutcome[],
): Result[] {
  const byPosition = new Map(messages.map((message, i) => [message.position, outcomes[i]]));
  return parsed.map((input, position): Result => {
    if (input instanceof ApiError) return errorResult(input);
    const outcome = byPosition.get(position);
    if (outcome === undefined) throw new Error('a message of the bulk was left undecided');
    return outcomeResult(outcome);
  });
}

/** Whether an earlier request stored everything that this one could store. */
function isRepeat(outcomes: readonly AcceptOutcome[]): boolean {
  const stored = outcomes.filter((outcome) => outcome.kind !== 'refused');
  return stored.length > 0 && stored.every((outcome) => outcome.kind === 'repeated');
}

export const sendBulk: Handler<'sendBulk'> = async (request, api) => {
  refuseIdempotencyKey(request);
  const parsed = await resolveAll(api, request, await parseAll(request.body.messages, request.caller.country));
  const messages = parsed.flatMap((input, position): NewMessage[] =>
    input instanceof ApiError ? [] : [newMessage(request, input, position)],
  );
  const outcomes = messages.length === 0 ? [] : await acceptBulkTraced(api.bulkAcceptor, messages, request.traceparent);
  refuseWhole(outcomes);
  enqueueAccepted(api, messages, outcomes);
  const results = resultsOf(parsed, messages, outcomes);
  return isRepeat(outcomes) ? new Replayed({ results }) : { results };
};
