import { type Clock, systemClock } from './clock.js';
import { KurirUsageError } from './errors.js';
import { createGatewayTime, type GatewayTime } from './gateway-time.js';

export type ClientOptions = {
  /** The address of the gateway, like `https://gateway.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Signs the requests. It is never sent. */
  readonly apiSecret: string;
  /** The device of every call that names no other device. */
  readonly deviceId?: string | undefined;
  /** How long one try may take, including the reading of its answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again, if a repeat is safe. Default 3. */
  readonly maxRetries?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
};

/** The settings and the state that all calls of a client use. */
export type Connection = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly deviceId: string | null;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly random: () => number;
  readonly gatewayTime: GatewayTime;
};

/** Throws a KurirUsageError if the address is not plain http(s). A query or a password in it would not be signed. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url !== null && /^https?:$/.test(url.protocol) && url.origin + url.pathname === url.href;
  if (!plain) throw new KurirUsageError('The base URL must be like https://gateway.example.com, without a query.');
  return url.href.replace(/\/+$/, '');
}

export function openConnection(options: ClientOptions): Connection {
  if (!options.apiKey || !options.apiSecret) throw new KurirUsageError('apiKey and apiSecret must not be empty.');
  const clock = options.clock ?? systemClock;
  return {
    baseUrl: parseBaseUrl(options.baseUrl),
    apiKey: options.apiKey,
    apiSecret: options.apiSecret,
    deviceId: options.deviceId ?? null,
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 3,
    fetch: options.fetch ?? fetch,
    clock,
    random: options.random ?? Math.random,
    gatewayTime: createGatewayTime(() => clock.now()),
  };
}
