/** Turns spans on if the settings name a collector. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { useRecorder } from './spans.js';

/** The last spans have this long to leave. A collector that is away must not hold up the shutdown. */
const flushMs = 1_000;

// All packages have the version of the whole.
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export type TracingOptions = {
  readonly program: 'api' | 'worker';
  /** The address of the collector without `/v1/traces`. Undefined: no spans. */
  readonly endpoint: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The share of the traces that begin here, from 0 to 1. */
  readonly share: number;
  /** Tells this process from others of the program. Default: a random id. */
  readonly instance: string | undefined;
  /** Called at most once a minute, with the number of spans that were not exported. */
  readonly onLost: (spans: number, error: unknown) => void;
};

export type Tracing = {
  /** Ends spans, and exports what is left within a short time. Never rejects. */
  stop(): Promise<void>;
};

export async function startTracing(options: TracingOptions): Promise<Tracing> {
  const { program, endpoint, headers = {}, share, instance, onLost } = options;
  if (endpoint === undefined) return { stop: () => Promise.resolve() };
  // Without a collector, the process never loads the SDK.
  const { openSdk } = await import('./sdk.js');
  const { tracer, shutdown } = openSdk({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    resource: {
      'service.name': `kurir-${program}`,
      'service.version': version,
      'service.instance.id': instance ?? randomUUID(),
    },
    onLost,
  });
  useRecorder({ tracer, share, random: Math.random });
  return {
    async stop() {
      useRecorder(null);
      const flushed = shutdown().catch((error: unknown) => onLost(0, error));
      await Promise.race([flushed, sleep(flushMs, undefined, { ref: false })]);
    },
  };
}
