/** `metrics`: accepting with the page of metrics, which a scraper reads each second, against accepting without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@kurir/testing';
import { startMeasuredGateway } from '../gateway/measured-gateway.js';
import { startLoad } from '../load/load.js';
import type { Setting } from '../processes/setting.js';
import { acceptFor, acceptPlan, warmUpSeconds } from './accept.js';
import type { Measure, Side } from './measure.js';

/** Fifteen times as often as usual. */
const scrapeEveryMs = 1_000;

/** Reads the page until the cleanup. */
function scrape({ cleanup }: Setting, port: number): void {
  const over = new AbortController();
  const readAll = async () => {
    while (!over.signal.aborted) {
      await (await fetch(`http://127.0.0.1:${port}/metrics`, { signal: over.signal })).text();
      await sleep(scrapeEveryMs, undefined, { signal: over.signal });
    }
  };
  const reading = readAll().catch(() => undefined);
  cleanup.add(async () => {
    over.abort();
    await reading;
  });
}

async function open(setting: Setting): Promise<{ ours: Side; base: Side }> {
  const apiPort = await freePort();
  const load = await startLoad(setting);
  const ours = await startMeasuredGateway(setting, {
    ...acceptPlan,
    apiEnv: { KURIR_METRICS_PORT: String(apiPort) },
  });
  const base = await startMeasuredGateway(setting, acceptPlan);
  scrape(setting, apiPort);
  await acceptFor(ours, load, warmUpSeconds);
  await acceptFor(base, load, warmUpSeconds);
  return {
    ours: () => acceptFor(ours, load, setting.seconds),
    base: () => acceptFor(base, load, setting.seconds),
  };
}

export const metrics: Measure = { name: 'metrics', unit: 'messages/s', target: 0.95, open };
