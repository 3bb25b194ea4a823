/**
 * One request of an operation of the public api, by a key or a person, from its headers to its answer: identify, limit,
 * validate, act. The order of refusals is credentials, then the request itself, then what the handler finds (device,
 * plan). What is refused before the handler has changed nothing; a second use of a signature is refused or answered again
 * as the table says.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError, type BodyOf, type Endpoint, endpoints, type Operation, type QueryOf } from '@kurir/contracts';
import { rememberRequest } from '@kurir/database';
import { answerSuccess } from './answer.js';
import type { Api } from './api.js';
import { admitPerson } from './dashboard/admit-person.js';
import { addressOf, type Exchange, parseRequest, type Serve } from './exchange.js';
import { handlers } from './handlers/handlers.js';
import { limitRate } from './limit-rate.js';
import { readBody } from './read-body.js';
import { readIdempotencyKey } from './read-idempotency-key.js';
import { asSent } from './request-target.js';
import { isOfBrowser } from './sign-in/cookie-names.js';
import type { ParamsOf, VerifiedRequest } from './verified-request.js';
import {
  type Caller,
  type Credentials,
  hasCredentials,
  type KeyCaller,
  type PersonCaller,
  readCredentials,
  readDeviceId,
  verifyRequest,
} from './verify-request.js';
import { watchCaller } from './watch-caller.js';

/** Who asks, with the body that was read on the way. */
type Identified<C extends Caller = Caller> = { readonly caller: C; readonly raw: Buffer };

type Given = { readonly credentials: Credentials; readonly body: Buffer };

/** Path and query exactly as sent: never sorted, decoded or slash-fixed. */
const targetOf = (req: IncomingMessage) => asSent(req.url ?? '');

async function verify(api: Api, endpoint: Endpoint, req: IncomingMessage, given: Given): Promise<KeyCaller> {
  const { credentials, body } = given;
  const ip = () => addressOf(req, api.trustedProxies);
  const received = { credentials, body, endpoint, method: req.method ?? '', target: targetOf(req), ip };
  const caller = await verifyRequest(api.keys, received, api.now());
  api.usedSecrets.note(caller.keyId, caller.secretVersion);
  return caller;
}

async function identifyKey(api: Api, endpoint: Endpoint, exchange: Exchange): Promise<Identified<KeyCaller>> {
  const { req, answer, trace } = exchange;
  const credentials = readCredentials(req.headers, endpoint);
  const raw = await readBody(req, endpoint.maxBodyBytes);
  const caller = await verify(api, endpoint, req, { credentials, body: raw });
  trace.accountId = caller.accountId;
  trace.keyId = caller.keyId;
  await limitRate(api.rateLimit, caller.keyId, answer);
  return { caller, raw };
}

/** Nobody repeats a person's request: these bytes are never the same twice. */
const repeatKeyBytes = 32;

async function identifyPerson(
  api: Api,
  { path, access, maxBodyBytes }: Endpoint & { readonly access: NonNullable<Endpoint['access']> },
  exchange: Exchange,
): Promise<Identified<PersonCaller>> {
  const { visitor } = await admitPerson(api, { path, access }, exchange);
  if (visitor === null) throw new Error('an operation with a role admitted nobody');
  const { user, membership } = visitor;
  const repeatKey = randomBytes(repeatKeyBytes);
  const caller: PersonCaller = { by: 'person', accountId: membership.accountId, keyId: user.id, repeatKey };
  return { caller, raw: await readBody(exchange.req, maxBodyBytes) };
}

/** A request that shows anything of a signature must prove it, whatever cookie comes with it. */
function identify(api: Api, endpoint: Endpoint, exchange: Exchange): Promise<Identified> {
  const { headers } = exchange.req;
  const { access } = endpoint;
  return access === null || hasCredentials(headers) || !isOfBrowser(headers)
    ? identifyKey(api, endpoint, exchange)
    : identifyPerson(api, { ...endpoint, access }, exchange);
}

async function refuseRepeat(api: Api, { keyId, repeatKey }: KeyCaller): Promise<void> {
  if (await rememberRequest(api.database, keyId, repeatKey)) return;
  const sentence =
    'This signature was used before. Sign again with a new X-Timestamp; milliseconds tell two requests of one second apart.';
  throw new ApiError('REPLAYED_REQUEST', sentence);
}

// O ties the handler to what was parsed for it, inside.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function serveOperation<O extends Operation>(operation: O, api: Api): Serve {
  const endpoint: Endpoint = endpoints[operation];
  const handler = handlers[operation];

  return async (exchange) => {
    const { req, res, answer, trace, params } = exchange;
    trace.operation = operation;
    const { caller, raw } = await identify(api, endpoint, exchange);
    const { body, query } = parseRequest(endpoint, req, raw);
    const request: VerifiedRequest<O> = {
      id: trace.id,
      caller,
      // Not parsed: a text that is no device id is the id of no device. The table says where it is null.
      deviceId: readDeviceId(req.headers, endpoint) as VerifiedRequest<O>['deviceId'],
      // Both were parsed with this operation's schemas, and the path that was found is this operation's.
      body: body as BodyOf<O>,
      query: query as QueryOf<O>,
      params: params as ParamsOf<O>,
      idempotencyKey: readIdempotencyKey(req.headers),
      callerGone: () => watchCaller(res),
    };
    if (caller.by === 'key' && endpoint.repeat === 'refuse') await refuseRepeat(api, caller);
    const { data, replayed } = await handler(request, api);
    if (replayed === true) answer.setHeader('Idempotent-Replayed', 'true');
    answerSuccess(answer, endpoint.message, data);
  };
}
