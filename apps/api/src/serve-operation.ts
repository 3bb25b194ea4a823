/**
 * One signed request from its headers to its answer: verify, limit, validate, act. The order of refusals is
 * credentials, then the request itself, then what the handler finds (device, plan). What is refused before the
 * handler has changed nothing; a second use of the signature is refused or answered again as the table says.
 */
import {
  ApiError,
  type BodyOf,
  type Endpoint,
  endpoints,
  type Operation,
  parseInput,
  type QueryOf,
} from '@kurir/contracts';
import { rememberRequest } from '@kurir/database';
import type { Request, RequestHandler } from 'express';
import { answerSuccess } from './answer.js';
import type { Api } from './api.js';
import { handlers } from './handlers/handlers.js';
import { limitRate } from './limit-rate.js';
import { parseJson, requireJson } from './parse-json.js';
import { readBody } from './read-body.js';
import { readIdempotencyKey } from './read-idempotency-key.js';
import { queryOf, targetOf } from './request-target.js';
import type { ParamsOf, VerifiedRequest } from './verified-request.js';
import { type Caller, type Credentials, readCredentials, verifyRequest } from './verify-request.js';
import { watchCaller } from './watch-caller.js';

async function verify(
  api: Api,
  endpoint: Endpoint,
  req: Request,
  credentials: Credentials,
  body: Buffer,
): Promise<Caller> {
  const received = { endpoint, credentials, method: req.method, target: targetOf(req), body, ip: () => req.ip };
  const caller = await verifyRequest(api.keys, received, api.now());
  api.usedSecrets.note(caller.keyId, caller.secretVersion);
  return caller;
}

function parseBody(endpoint: Endpoint, req: Request, raw: Buffer): unknown {
  if (endpoint.body === null) return null;
  requireJson(req.headers['content-type']);
  return parseInput(endpoint.body, parseJson(raw));
}

function parseQuery(endpoint: Endpoint, req: Request): unknown {
  return endpoint.query === null ? null : parseInput(endpoint.query, queryOf(req), 'the query');
}

async function refuseRepeat(api: Api, caller: Caller): Promise<void> {
  if (await rememberRequest(api.database, caller.keyId, caller.signature)) return;
  const sentence =
    'This signature was used before. Sign again with a new X-Timestamp; milliseconds tell two requests of one second apart.';
  throw new ApiError('REPLAYED_REQUEST', sentence);
}

// O ties the handler to what was parsed for it, inside.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function serveOperation<O extends Operation>(operation: O, api: Api): RequestHandler {
  const endpoint: Endpoint = endpoints[operation];
  const handler = handlers[operation];

  return async (req, res) => {
    const { trace } = res.locals;
    trace.operation = operation;
    const credentials = readCredentials(req.headers, endpoint);
    const raw = await readBody(req, endpoint.maxBodyBytes);
    const caller = await verify(api, endpoint, req, credentials, raw);
    trace.accountId = caller.accountId;
    trace.keyId = caller.keyId;
    await limitRate(api.rateLimit, caller.keyId, res);

    const request: VerifiedRequest<O> = {
      id: trace.id,
      caller,
      // Not parsed: a text that is no device id is the id of no device. The table says where it is null.
      deviceId: credentials.deviceId as VerifiedRequest<O>['deviceId'],
      // Both were parsed with this operation's schemas, and the router matched this operation's path.
      body: parseBody(endpoint, req, raw) as BodyOf<O>,
      query: parseQuery(endpoint, req) as QueryOf<O>,
      params: req.params as ParamsOf<O>,
      idempotencyKey: readIdempotencyKey(req.headers),
      callerGone: () => watchCaller(res),
    };
    if (endpoint.repeat === 'refuse') await refuseRepeat(api, caller);
    const answer = await handler(request, api);
    if (answer.replayed === true) res.setHeader('Idempotent-Replayed', 'true');
    answerSuccess(res, endpoint.message, answer.data);
  };
}
