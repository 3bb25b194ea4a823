/** Exports spans without ever disturbing the program: a failure costs the spans and a rare line of the log. */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** A collector that is away fails every few seconds. */
const reportEveryMs = 60_000;

export type QuietExporterOptions = {
  /** Called at most once in `reportEveryMs`, with the number of spans that were lost since the last call. */
  readonly onLost: (spans: number, error: unknown) => void;
  /** Milliseconds by a monotonic clock. */
  readonly now: () => number;
};

/** Each export succeeds towards the SDK, because the SDK would throw the error at nobody. */
export function createQuietExporter(inner: SpanExporter, { onLost, now }: QuietExporterOptions): SpanExporter {
  let lost = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;

  function noteLost(spans: number, error: unknown): void {
    lost += spans;
    if (now() - reportedAt < reportEveryMs) return;
    onLost(lost, error);
    lost = 0;
    reportedAt = now();
  }

  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      inner.export(spans, ({ code, error }) => {
        if (code !== ExportResultCode.SUCCESS) noteLost(spans.length, error);
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    forceFlush: () => inner.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => inner.shutdown(),
  };
}
