export type { Attributes, SpanName } from './span-words.js';
export { beginRequest, beginSpan, beginTraces, isTracing, noteFailedRequest, noteSpan, traced } from './spans.js';
export type { Beginning, RequestSpan, Span } from './spans.js';
export { startTracing } from './start-tracing.js';
export type { Tracing, TracingOptions } from './start-tracing.js';
export { type LogIds, logIdsOf, parseTraceparent } from './traceparent.js';
