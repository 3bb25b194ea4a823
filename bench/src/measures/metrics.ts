/** `metrics`: accepting with the page of metrics, which a scraper reads each second, against accepting without it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@kurir/testing';
import type { Setting } from '../processes/setting.js';
import type { Measure, Sides } from './measure.js';
import { openWithAndWithout } from './with-and-without.js';

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

async function open(setting: Setting): Promise<Sides> {
  const apiPort = await freePort();
  return openWithAndWithout(setting, {
    apiEnv: { KURIR_METRICS_PORT: String(apiPort) },
    begin: () => scrape(setting, apiPort),
  });
}

export const metrics: Measure = { name: 'metrics', unit: 'messages/s', target: 0.95, open };
