/** A collector of OpenTelemetry in the test: takes OTLP over HTTP as JSON, and keeps what it got. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> };

/** The part of OTLP/JSON that is read here. */
type Otlp = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: number;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly attributes: readonly Attribute[];
        readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
        readonly status: { readonly code: number };
      }[];
    }[];
  }[];
};

export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  /** As OTLP numbers it: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The ids of the spans that it links to. */
  readonly links: readonly string[];
  readonly isFailed: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly resource: Readonly<Record<string, unknown>>;
};

export type TraceCollector = {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that arrived, as text. */
  readonly bodies: readonly string[];
  /** The headers of each request. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** `silent` takes requests and never answers. */
  answerWith(status: number | 'silent'): void;
  close(): void;
};

const errorCode = 2;
const millis = (nanos: string) => Number(BigInt(nanos) / 1_000n) / 1_000;

/** A number of 64 bits comes as text. */
const valueOf = ({ key, value }: Attribute): [string, unknown] => {
  const [[kind, given] = ['', null]] = Object.entries(value);
  return [key, kind === 'intValue' ? Number(given) : given];
};
const recordOf = (attributes: readonly Attribute[]) => Object.fromEntries(attributes.map(valueOf));

function spansIn(body: string): CollectedSpan[] {
  // The exporter under test wrote it.
  const { resourceSpans } = JSON.parse(body) as Otlp;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? null,
        name: span.name,
        kind: span.kind,
        attributes: recordOf(span.attributes),
        links: span.links.map(({ spanId }) => spanId),
        isFailed: span.status.code === errorCode,
        startMs: millis(span.startTimeUnixNano),
        endMs: millis(span.endTimeUnixNano),
        resource: recordOf(resource.attributes),
      })),
    ),
  );
}

/** Listens on a free port of this machine. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let answer: number | 'silent' = 200;

  async function take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await text(req);
    headers.push(req.headers);
    if (answer === 'silent') return;
    if (req.url !== '/v1/traces') return void res.writeHead(404).end();
    if (answer === 200) {
      bodies.push(body);
      spans.push(...spansIn(body));
    }
    res.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
  }

  const server = createServer((req, res) => void take(req, res).catch(() => res.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A server that listens on a port has an AddressInfo.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    answerWith: (status) => {
      answer = status;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
