/**
 * Spans of this process. Until `startTracing` has turned them on, each function returns null after one check.
 *
 * A parent is a `traceparent` as text, because it comes from a header or from a row. A span exists only if it is recorded:
 * the decision is made where a trace begins, and `null` stands for everything that is not traced.
 */
import {
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Attributes, SpanName } from './span-words.js';
import { formatTraceparent, isSampled, parseTraceparent } from './traceparent.js';

export type Kind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

const kinds: Readonly<Record<Kind, SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

export type Span = {
  /** Names this span as the parent of others. */
  readonly traceparent: string;
  /** Ends the span. `error.type` marks it as failed. A span that never ends is not exported. */
  end(attributes?: Attributes): void;
};

export type RequestSpan = Span & {
  /** Ends the span under the name that the request has by now. */
  endAs(name: string, attributes: Attributes): void;
};

export type Beginning = {
  /** Default: internal. */
  readonly kind?: Kind;
  readonly attributes?: Attributes;
  /** Milliseconds since 1970. Default: now. */
  readonly startedAt?: number;
};

export type Recorder = {
  readonly tracer: Tracer;
  /** The share of the traces that begin here, from 0 to 1. */
  readonly share: number;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
};

let recorder: Recorder | null = null;

/** Turns spans on, or off with null. */
export function useRecorder(next: Recorder | null): void {
  recorder = next;
}

export const isTracing = (): boolean => recorder !== null;

function wrap(span: SdkSpan): RequestSpan {
  const end = (attributes: Attributes = {}) => {
    span.setAttributes(attributes);
    if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  return {
    traceparent: formatTraceparent(span.spanContext()),
    end,
    endAs(name, attributes) {
      span.updateName(name);
      end(attributes);
    },
  };
}

/** The context below a span of the text. Null: the text names no span that is recorded. */
function contextBelow(traceparent: string): Context | null {
  const parent = parseTraceparent(traceparent);
  return parent === null || !isSampled(parent) ? null : trace.setSpanContext(ROOT_CONTEXT, parent);
}

type Start = Beginning & { readonly below: Context; readonly link?: string | null };

function start({ tracer }: Recorder, name: string, { below, kind = 'internal', attributes, startedAt, link }: Start) {
  const linked = link === undefined || link === null ? null : parseTraceparent(link);
  const options = {
    kind: kinds[kind],
    ...(attributes === undefined ? {} : { attributes }),
    ...(startedAt === undefined ? {} : { startTime: startedAt }),
    ...(linked === null ? {} : { links: [{ context: linked }] }),
  };
  return wrap(tracer.startSpan(name, options, below));
}

/** Begins a span below its parent. Returns null if the parent is not traced. */
export function beginSpan(
  parent: string | null | undefined,
  name: SpanName,
  beginning: Beginning = {},
): RequestSpan | null {
  if (recorder === null || parent === null || parent === undefined) return null;
  const below = contextBelow(parent);
  return below === null ? null : start(recorder, name, { ...beginning, below });
}

/** Records a span that is over. Returns its `traceparent`, or null if the parent is not traced. */
export function noteSpan(parent: string | null | undefined, name: SpanName, beginning: Beginning): string | null {
  const span = beginSpan(parent, name, beginning);
  if (span === null) return null;
  const error = beginning.attributes?.['error.type'];
  span.end(error === undefined ? {} : { 'error.type': error });
  return span.traceparent;
}

const isChosen = ({ share, random }: Recorder): boolean => share > 0 && random() < share;

/**
 * Begins the span of a request. A `traceparent` of the caller decides: a sampled trace goes on, and another is left
 * alone. Without one, a trace begins here for the share of the settings.
 */
export function beginRequest(traceparent: string | undefined): RequestSpan | null {
  if (recorder === null) return null;
  const parent = traceparent === undefined ? null : parseTraceparent(traceparent);
  if (parent === null)
    return isChosen(recorder) ? start(recorder, 'request', { below: ROOT_CONTEXT, kind: 'server' }) : null;
  if (!isSampled(parent)) return null;
  return start(recorder, 'request', { below: trace.setSpanContext(ROOT_CONTEXT, parent), kind: 'server' });
}

/** A batch may have thousands of messages, and the queue of the exporter is bounded. */
const mostOfBatch = 100;

/**
 * Begins a trace of its own for a share of the items of a batch, and for at most `mostOfBatch`. Each links to the span
 * that asked for the batch. Returns a span or null for each item, or null if spans are off.
 */
export function beginTraces<Item>(
  name: SpanName,
  items: readonly Item[],
  { link, attributesOf }: { readonly link: string | null; readonly attributesOf: (item: Item) => Attributes },
): readonly (Span | null)[] | null {
  const given = recorder;
  if (given === null) return null;
  let left = mostOfBatch;
  return items.map((item) => {
    if (left === 0 || !isChosen(given)) return null;
    left--;
    return start(given, name, { below: ROOT_CONTEXT, attributes: attributesOf(item), link });
  });
}

/** Returns the item with the `traceparent` of its span, or the item itself if it has no span. */
export const traced = <Item extends object>(
  item: Item,
  span: Span | null | undefined,
): Item & { readonly traceparent?: string | undefined } =>
  span === null || span === undefined ? item : { ...item, traceparent: span.traceparent };

/** In an outage each request fails, and a few of them tell enough. */
const failuresEveryMs = 1_000;
let failureNotedAt = Number.NEGATIVE_INFINITY;

/** Records a failed request that was not chosen, as a trace of its own. At most one in `failuresEveryMs`. */
export function noteFailedRequest(name: string, startedAt: number, attributes: Attributes): void {
  if (recorder === null || performance.now() - failureNotedAt < failuresEveryMs) return;
  failureNotedAt = performance.now();
  start(recorder, name, { below: ROOT_CONTEXT, kind: 'server', startedAt }).end(attributes);
}
