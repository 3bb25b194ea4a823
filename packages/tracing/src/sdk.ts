/** The SDK of OpenTelemetry. Only `start-tracing.ts` imports it, and only if the settings name a collector. */
import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createQuietExporter } from './quiet-exporter.js';

/** One export with all its retries. */
const exportMs = 5_000;
const batch = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 2_000,
  // The exporter gives up first, so that two exports never run at the same time.
  exportTimeoutMillis: exportMs + 1_000,
};

export type SdkOptions = {
  /** The address of the collector's `/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  readonly onLost: (spans: number, error: unknown) => void;
};

export type Sdk = {
  readonly tracer: Tracer;
  /** Exports what is left. May take as long as one export. */
  shutdown(): Promise<void>;
};

export function openSdk({ url, headers, resource, onLost }: SdkOptions): Sdk {
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: exportMs });
  const quiet = createQuietExporter(exporter, { onLost, now: () => performance.now() });
  // Never registered as the global provider: libraries would write spans of their own, with what they please in them.
  const provider = new TracerProvider({
    // `spans.ts` decides, before it makes a span.
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({ ...resource }),
    spanProcessors: [new BatchSpanProcessor({ exporter: quiet, ...batch })],
  });
  return { tracer: provider.getTracer('kurir'), shutdown: () => provider.shutdown() };
}
