import { type Clock, systemClock } from './clock.js';
import { KurirUsageError } from './errors.js';
import { createGatewayTime, type GatewayTime } from './gateway-time.js';

export type ClientOptions = {
  /** Where the gateway is, like `https://gateway.example.com`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Signs the requests; never sent. */
  readonly apiSecret: string;
  /** The device of every call that does not name another. */
  readonly deviceId?: string | undefined;
  /** How long one try may take until its answer is read. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Further tries after the first, where a repeat is safe. Default 3. */
  readonly maxRetries?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  readonly clock?: Clock | undefined;
  /** 0 to 1, for the jitter of retries. */
  readonly random?: (() => number) | undefined;
};

/** What every call of one client shares. */
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

/** Throws a KurirUsageError for an address that is not plain http(s): a query or a password in it would not be signed. */
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
