/** The settings of traces. Their names are those of OpenTelemetry, so that operators know them. */
import { headers, share, url } from './schemas.js';
import type { Setting } from './setting.js';

const programs = ['api', 'worker'] as const;

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: url('http', 'https').optional(),
    description:
      'The address of an OpenTelemetry collector that takes OTLP over HTTP, without `/v1/traces`. Without it: no traces.',
    programs,
    example: 'http://127.0.0.1:4318',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: headers.optional(),
    description:
      'Headers that the collector wants, such as `authorization=Bearer%20…`. Several have commas between them, and values are percent-encoded.',
    programs,
    secret: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: share.default(0.01),
    description:
      'The share of traces that begin here, from 0 to 1. A request with a sampled `traceparent` is always traced.',
    programs,
  },
} as const satisfies Record<string, Setting>;
