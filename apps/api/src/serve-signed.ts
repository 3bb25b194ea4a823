/**
 * One signed request from its headers to its answer: verify, limit, validate, act. The order of refusals is
 * credentials, then the request itself, then what the handler finds (device, plan). What is refused before the
 * handler has changed nothing; a second use of the signature is refused or answered again as the table says.
 */
import type { IncomingMessage } from 'node:http';
import { ApiError, type BodyOf, type Endpoint, endpoints, type Operation, type QueryOf } from '@kurir/contracts';
import { rememberRequest } from '@kurir/database';
import { answerSuccess } from './answer.js';
import type { Api } from './api.js';
import { addressOf, parseRequest, type Serve } from './exchange.js';
import { handlers } from './handlers/handlers.js';
import { limitRate } from './limit-rate.js';
import { readBody } from './read-body.js';
import { readIdempotencyKey } from './read-idempotency-key.js';
import { asSent } from './request-target.js';
import type { ParamsOf, VerifiedRequest } from './verified-request.js';
import { type Caller, type Credentials, readCredentials, verifyRequest } from './verify-request.js';
import { watchCaller } from './watch-caller.js';

type Given = { readonly credentials: Credentials; readonly body: Buffer };

/** Path and query exactly as sent: never sorted, decoded or slash-fixed. */
const targetOf = (req: IncomingMessage) => asSent(req.url ?? '');

async function verify(api: Api, endpoint: Endpoint, req: IncomingMessage, given: Given): Promise<Caller> {
  const { credentials, body } = given;
  const ip = () => addressOf(req, api.trustedProxies);
  const received = { credentials, body, endpoint, method: req.method ?? '', target: targetOf(req), ip };
  const caller = await verifyRequest(api.keys, received, api.now());
  api.usedSecrets.note(caller.keyId, caller.secretVersion);
  return caller;
}

async function refuseRepeat(api: Api, caller: Caller): Promise<void> {
  if (await rememberRequest(api.database, caller.keyId, caller.repeatKey)) return;
  const sentence =
    'This signature was used before. Sign again with a new X-Timestamp; milliseconds tell two requests of one second apart.';
  throw new ApiError('REPLAYED_REQUEST', sentence);
}

// O ties the handler to what was parsed for it, inside.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function serveSigned<O extends Operation>(operation: O, api: Api): Serve {
  const endpoint: Endpoint = endpoints[operation];
  const handler = handlers[operation];

  return async ({ req, res, answer, trace, params }) => {
    trace.operation = operation;
    const credentials = readCredentials(req.headers, endpoint);
    const raw = await readBody(req, endpoint.maxBodyBytes);
    const caller = await verify(api, endpoint, req, { credentials, body: raw });
    trace.accountId = caller.accountId;
    trace.keyId = caller.keyId;
    await limitRate(api.rateLimit, caller.keyId, answer);

    const { body, query } = parseRequest(endpoint, req, raw);
    const request: VerifiedRequest<O> = {
      id: trace.id,
      caller,
      // Not parsed: a text that is no device id is the id of no device. The table says where it is null.
      deviceId: credentials.deviceId as VerifiedRequest<O>['deviceId'],
      // Both were parsed with this operation's schemas, and the path that was found is this operation's.
      body: body as BodyOf<O>,
      query: query as QueryOf<O>,
      params: params as ParamsOf<O>,
      idempotencyKey: readIdempotencyKey(req.headers),
      callerGone: () => watchCaller(res),
    };
    if (endpoint.repeat === 'refuse') await refuseRepeat(api, caller);
    const { data, replayed } = await handler(request, api);
    if (replayed === true) answer.setHeader('Idempotent-Replayed', 'true');
    answerSuccess(answer, endpoint.message, data);
  };
}
