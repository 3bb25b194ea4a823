/**
 * The header `traceparent` of W3C Trace Context, which names a span to the next program.
 * Source: https://www.w3.org/TR/trace-context/#traceparent-header
 */
import { type SpanContext, TraceFlags } from '@opentelemetry/api';

/** Version, trace id, id of the parent span, flags. A later version may add fields at the end. */
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);

/** Returns the span that the text names, or null if the text is not valid. `isRemote`: it is a span of another program. */
export function parseTraceparent(text: string): SpanContext | null {
  const [, version, traceId, spanId, flags, rest] = pattern.exec(text) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === 'ff' || traceId === noTrace || spanId === noSpan) return null;
  if (version === '00' && rest !== undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`;

/** The fields of a log line that belong to a span. The names are those that readers of logs expect. */
export type LogIds = { readonly trace_id?: string; readonly span_id?: string };

const noIds: LogIds = {};

/** Returns no fields if there is no span, or if the text is not valid. */
export function logIdsOf(traceparent: string | null | undefined): LogIds {
  if (traceparent === null || traceparent === undefined) return noIds;
  const span = parseTraceparent(traceparent);
  return span === null ? noIds : { trace_id: span.traceId, span_id: span.spanId };
}
