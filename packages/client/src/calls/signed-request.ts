/** Turns an operation and its input into the bytes that are signed and sent. */
import { signRequest } from '@kurir/signing';
import type { Connection } from './connection.js';
import { KurirUsageError } from './errors.js';
import type { Repeat, Route } from '../contract/routes.js';
import { toSnakeCase } from '../contract/wire-case.js';

/** A request before it is signed. All tries use the same one. */
export type PlainRequest = {
  readonly method: string;
  readonly url: string;
  /** Path and query, exactly as they are sent. */
  readonly target: string;
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly deviceId: string | null;
  readonly idempotencyKey: string | null;
  readonly repeat: Repeat;
};

export type SignedRequest = PlainRequest & {
  readonly signedAtMs: number;
  readonly headers: Headers;
};

export type RequestParts = {
  /** The id in the path of the route. */
  readonly id?: string;
  readonly query?: object;
  readonly body?: object;
  readonly idempotencyKey?: string | undefined;
};

const parameter = /\{(\w+)\}/;

function pathOf(route: Route, id: string | undefined): string {
  const [placeholder, name] = parameter.exec(route.path) ?? [];
  if (placeholder === undefined || name === undefined || id === undefined) return route.path;
  if (!/^[A-Za-z0-9_:-]+$/.test(id))
    throw new KurirUsageError(`${JSON.stringify(id)} is not a ${name.replace('_', ' ')}.`);
  return route.path.replace(placeholder, id);
}

function queryOf(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(toSnakeCase(query))) {
    if (value instanceof Date) search.set(name, value.toISOString());
    else if (['string', 'number', 'boolean'].includes(typeof value)) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}

/** Throws a KurirUsageError if the device is missing or the id is unusable. */
export function plainRequest(
  connection: Connection,
  route: Route,
  parts: RequestParts,
  deviceId: string | null,
): PlainRequest {
  if (route.device && !deviceId) throw new KurirUsageError(`${route.path} needs the id of a device.`);
  const url = new URL(connection.baseUrl + pathOf(route, parts.id) + queryOf(parts.query ?? {}));
  return {
    method: route.method,
    url: url.href,
    target: url.pathname + url.search,
    body: parts.body === undefined ? null : new TextEncoder().encode(JSON.stringify(toSnakeCase(parts.body))),
    deviceId: route.device ? deviceId : null,
    idempotencyKey: parts.idempotencyKey ?? null,
    repeat: route.repeat,
  };
}

/**
 * Signs by scheme 2, which covers the device too, with a fresh timestamp in milliseconds. If the gateway refuses a second use of a signature, no two calls share
 * a timestamp.
 */
export function sign(connection: Connection, request: PlainRequest): SignedRequest {
  const { gatewayTime } = connection;
  const signedAtMs = request.repeat === 'refuse' ? gatewayTime.nextUnique() : gatewayTime.now();
  const timestamp = String(signedAtMs);
  const { method, target } = request;
  const headers = new Headers({ Accept: 'application/json' });
  if (request.deviceId !== null) headers.set('X-Device-Id', request.deviceId);
  if (request.body !== null) headers.set('Content-Type', 'application/json');
  if (request.idempotencyKey !== null) headers.set('Idempotency-Key', request.idempotencyKey);
  const signature = signRequest({
    method,
    target,
    timestamp,
    // `Headers` cuts blanks at the edges of a value, so this is the text that is sent.
    signedHeaders: { deviceId: headers.get('X-Device-Id'), idempotencyKey: headers.get('Idempotency-Key') },
    body: request.body ?? '',
    secret: connection.apiSecret,
  });
  headers.set('X-API-Key', connection.apiKey);
  headers.set('X-Timestamp', timestamp);
  headers.set('X-Signature', signature);
  headers.set('X-Signature-Version', '2');
  return { ...request, signedAtMs, headers };
}
