import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { InMemorySpanExporter, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { createQuietExporter } from './quiet-exporter.js';

const minuteMs = 60_000;
// The exporter only counts them.
const batchOf = (count: number) => Array.from({ length: count }, () => ({})) as ReadableSpan[];

function failing(error: Error): SpanExporter {
  return {
    export: (_spans, done) => done({ code: ExportResultCode.FAILED, error }),
    shutdown: async () => undefined,
  };
}

test('lost spans are told at most once a minute, with their number, and never fail the program', () => {
  const error = new Error('away');
  const told: (readonly [number, unknown])[] = [];
  const results: ExportResult[] = [];
  let now = 5;
  const exporter = createQuietExporter(failing(error), {
    onLost: (spans, reason) => told.push([spans, reason]),
    now: () => now,
  });
  const exportOf = (count: number) => exporter.export(batchOf(count), (result) => results.push(result));

  exportOf(3);
  exportOf(4);
  now += minuteMs - 1;
  exportOf(5);
  expect(told).toEqual([[3, error]]);
  now += 1;
  exportOf(6);
  expect(told).toEqual([
    [3, error],
    [4 + 5 + 6, error],
  ]);
  expect(results).toEqual(Array.from({ length: 4 }, () => ({ code: ExportResultCode.SUCCESS })));
});

test('spans that arrive are not told', () => {
  const inner = new InMemorySpanExporter();
  const exporter = createQuietExporter(inner, { onLost: () => expect.unreachable(), now: () => 0 });
  exporter.export(batchOf(2), ({ code }) => expect(code).toBe(ExportResultCode.SUCCESS));
  expect(inner.getFinishedSpans()).toHaveLength(2);
});
