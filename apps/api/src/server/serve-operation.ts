/**
 * Serves one request of an operation: identify the caller, limit the rate, validate the input, call the handler.
 * Refusals come in this order, and a refusal before the handler changes nothing. The route table says whether a
 * repeated signature is refused or gets the first answer.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  ApiError,
  type AuditAction,
  isDeviceId,
  limits,
  type PublicOperation,
  usualCountry,
  withCountry,
} from '@kurir/contracts';
import {
  type OperationForPeople,
  type OperationEntry,
  type OperationName,
  routeTable,
} from '@kurir/contracts/dashboard';
import { type Audit, rememberRequest } from '@kurir/database';
import { answerSuccess } from '../http/answer.js';
import type { Api } from '../operations/api.js';
import type { Caller } from '../operations/caller.js';
import type { PersonCaller } from '../sign-in/person-caller.js';
import type { KeyCaller } from '../signatures/key-caller.js';
import { admitPerson } from '../sign-in/admit-person.js';
import { addressOf } from '../http/callers/caller-address.js';
import { type Exchange, parseRequest, type Serve, type StreamedAnswer } from '../http/exchange.js';
import { handlers } from './handlers.js';
import { limitKeyRate } from '../http/limit-rate.js';
import { checkOwnHost } from '../http/require-host.js';
import { networkOf } from '../http/callers/network-of.js';
import { callerAddress } from '../http/callers/shown-address.js';
import { type OperationRequest, Replayed, type StreamWish } from '../operations/operation-request.js';
import { requireSandbox } from '../operations/test-keys.js';
import type { BodyReservation } from '../http/body/body-budget.js';
import { readBody } from '../http/body/read-body.js';
import { asSent } from '../http/request-target.js';
import { isFromBrowser } from '../sign-in/cookie-names.js';
import { readIdempotencyKey } from '../signatures/signed-headers.js';
import {
  checkCredentials,
  hasCredentials,
  type PlausibleCredentials,
  readCredentials,
  readDeviceId,
  refusalOfKey,
  verifyRequest,
} from '../signatures/verify-request.js';
import { watchCaller } from './watch-caller.js';

/** An operation that ignores its body takes little of it. Its request may be a stream that stays open. */
const ignoredBodyMaxBytes = 16 * 1024;

const maxBytesOf = ({ body, maxBodyBytes = limits.bodyMaxBytes }: Pick<ForPeople, 'body' | 'maxBodyBytes'>): number =>
  body === null ? ignoredBodyMaxBytes : maxBodyBytes;

/** Opens the reservation for the body of this request, under the name of its caller. */
type Reserve = (caller: string) => BodyReservation;

/** The caller and the body. The caller is null if the operation needs none. */
type Identified = { readonly caller: Caller | null; readonly raw: Buffer };

type ReceivedParts = { readonly credentials: PlausibleCredentials; readonly body: Buffer };

/** Returns path and query exactly as sent. The signature covers them. */
const targetOf = (req: IncomingMessage) => asSent(req.url ?? '');

async function verify(
  api: Api,
  entry: PublicOperation,
  req: IncomingMessage,
  received: ReceivedParts,
): Promise<KeyCaller> {
  const { credentials, body } = received;
  const ip = () => addressOf(req, api.trustedProxies);
  const request = { credentials, body, entry, method: req.method ?? '', target: targetOf(req), ip };
  const caller = await verifyRequest(api.keys, request);
  api.usedSecrets.note(caller.actor, caller.secretVersion);
  return caller;
}

async function identifyKey(
  api: Api,
  entry: PublicOperation,
  exchange: Exchange,
  reserve: Reserve,
): Promise<Identified> {
  const { req, answer, trace } = exchange;
  trace.address = addressOf(req, api.trustedProxies);
  const read = readCredentials(req.headers, entry);
  trace.claimedKeyId = read.apiKey;
  const credentials = await checkCredentials(api.keys, read, api.now());
  // With the address: a stranger who knows the id of a key must not use up its budget.
  const sender = `${credentials.key.id} ${networkOf(trace.address)}`;
  const raw = await readBody(req, maxBytesOf(entry), reserve(sender));
  const caller = await verify(api, entry, req, { credentials, body: raw });
  trace.accountId = caller.accountId;
  trace.keyId = caller.actor;
  const { accountId, actor: keyId } = caller;
  await limitKeyRate(api, { keyId, accountId, bodyBytes: raw.length }, answer);
  return { caller, raw };
}

/** A person's request has no signature that could repeat, so it gets random bytes as its `repeatKey`. */
const repeatKeyBytes = 32;

type ForPeople = Pick<OperationForPeople, 'method' | 'path' | 'access' | 'confirmed' | 'whileSuspended' | 'body'> & {
  readonly agents?: true | undefined;
  readonly maxBodyBytes?: number;
};

async function identifyPerson(api: Api, entry: ForPeople, exchange: Exchange, reserve: Reserve): Promise<Identified> {
  exchange.trace.isPerson = true;
  const { visitor, headers } = await admitPerson(api, entry, exchange);
  const caller = visitor?.user.id ?? networkOf(addressOf(exchange.req, api.trustedProxies));
  const raw = await readBody(exchange.req, maxBytesOf(entry), reserve(caller));
  if (visitor === null) return { caller: null, raw };
  const { accountId, country } = visitor.membership;
  const repeatKey = randomBytes(repeatKeyBytes);
  const person: PersonCaller = {
    by: 'person',
    accountId,
    country,
    actor: visitor.user.id,
    repeatKey,
    visitor,
    headers,
  };
  return { caller: person, raw };
}

/** A request with any part of a signature must be signed correctly, even if it has a cookie. */
async function identify(api: Api, entry: OperationEntry, exchange: Exchange, reserve: Reserve): Promise<Identified> {
  if (entry.scope === undefined) return identifyPerson(api, entry, exchange, reserve);
  const { access } = entry;
  const { headers } = exchange.req;
  if (access === null || hasCredentials(headers) || !isFromBrowser(headers))
    return identifyKey(api, entry, exchange, reserve);
  checkOwnHost(exchange.req, api.addresses.publicUrl());
  return identifyPerson(api, { ...entry, access }, exchange, reserve);
}

async function refuseRepeat(api: Api, { actor, repeatKey }: KeyCaller): Promise<void> {
  if (await rememberRequest(api.database, actor, repeatKey)) return;
  const sentence =
    'This signature was used before. Sign again with a new X-Timestamp. Use milliseconds to send several requests in one second.';
  throw new ApiError('REPLAYED_REQUEST', sentence);
}

/** Returns the maker of audit rows. It makes none for a key if the route table audits only people. */
function auditsOf({ audit }: OperationEntry, caller: Caller | null, address: () => string | null) {
  if (audit === null || caller === null) return null;
  const { accountId, actor, by } = caller;
  const isSilent = by === 'key' && audit.whose === 'people';
  return (action: AuditAction): Audit | undefined =>
    isSilent ? undefined : { accountId, actor, action, address: address() };
}

function streamWish({ headers }: IncomingMessage): StreamWish | null {
  if (headers.accept?.includes('text/event-stream') !== true) return null;
  const lastEventId = headers['last-event-id'];
  return { lastEventId: typeof lastEventId === 'string' ? lastEventId : null };
}

// `O` ties the handler to the request that was parsed for it.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function serveOperation<O extends OperationName>(operation: O, api: Api): Serve {
  const entry: OperationEntry = routeTable[operation];
  // The handler has one of two types, depending on the answer of the operation. Both take these arguments.
  const handler = handlers[operation] as (
    request: OperationRequest<O>,
    given: Api,
    streamed: StreamedAnswer,
  ) => Promise<object | undefined>;

  async function serve(exchange: Exchange, reserve: Reserve): Promise<void> {
    const { req, res, answer, trace, params } = exchange;
    trace.operation = operation;
    const { caller, raw } = await identify(api, entry, exchange, reserve);
    const request = {
      id: trace.id,
      traceparent: trace.span?.traceparent ?? null,
      caller,
      auditAs: auditsOf(entry, caller, () => callerAddress(req, api.trustedProxies)),
      // Not parsed: a text that is not a device id finds no device.
      deviceId: entry.scope === undefined ? null : readDeviceId(req.headers, entry),
      ...withCountry(caller?.country ?? usualCountry, () => parseRequest(entry, req, raw)),
      params,
      idempotencyKey: readIdempotencyKey(req.headers),
      stream: entry.streams === true ? streamWish(req) : null,
      callerGone: () =>
        caller?.by === 'key' && entry.scope !== undefined
          ? watchCaller(res, () => refusalOfKey(api.keys, caller.actor, entry.scope))
          : watchCaller(res),
      // The schemas, the path, the access and the audit are those of this operation.
    } as OperationRequest<O>;
    // Any other text of the header stays out of the log.
    if (request.deviceId !== null && isDeviceId(request.deviceId)) trace.deviceId = request.deviceId;
    await requireSandbox(api.database, entry.testKeys, request);
    if (caller?.by === 'key' && entry.repeat === 'refuse') await refuseRepeat(api, caller);
    const returned = await handler(request, api, { answer, res, trace });
    if (entry.answers !== undefined || (entry.streams === true && returned === undefined)) return;
    if (returned instanceof Replayed) answer.setHeader('Idempotent-Replayed', 'true');
    const data = returned instanceof Replayed ? returned.data : (returned ?? {});
    if ('job_id' in data && typeof data.job_id === 'string') trace.jobId = data.job_id;
    answerSuccess(answer, entry.message, data);
  }

  return async (exchange) => {
    let reservation: BodyReservation | undefined;
    const reserve = (caller: string) => (reservation = api.bodies.open(caller));
    try {
      await serve(exchange, reserve);
    } catch (thrown) {
      for (const [name, value] of reservation?.refusedBy ?? []) exchange.answer.setHeader(name, value);
      throw thrown;
    } finally {
      reservation?.release();
    }
  };
}
