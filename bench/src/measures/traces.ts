/** `traces`: accepting while a collector gets the usual share of traces, against accepting without one. */
import { startTraceCollector } from '@kurir/testing';
import type { Setting } from '../processes/setting.js';
import type { Measure, Sides } from './measure.js';
import { openWithAndWithout } from './with-and-without.js';

async function open(setting: Setting): Promise<Sides> {
  const collector = await startTraceCollector();
  setting.cleanup.add(async () => {
    collector.close();
    setting.tell(`traces: ${collector.spans.length} spans arrived`);
  });
  return openWithAndWithout(setting, { apiEnv: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
}

export const traces: Measure = { name: 'traces', unit: 'messages/s', target: 0.95, open };
