/** A Prometheus of Debian that scrapes programs of a test, with the product's own rules, but faster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, waitUntil } from '@kurir/testing';

/** `npm test` finds or unpacks Prometheus (scripts/downloads/prometheus.mjs). */
const folder = process.env['KURIR_TEST_PROMETHEUS'];
export const hasPrometheus = folder !== undefined;
export const whyNoPrometheus = 'no Prometheus was found';

export type Prometheus = {
  /** Returns the series of a query, now. */
  query(text: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** Resolves after each target has answered that many more times. */
  scraped(times: number): Promise<void>;
  /** The names of the alerts that fire. */
  firing(): Promise<string[]>;
  stop(): Promise<void>;
};

const rulesFile = fileURLToPath(new URL('../../../deploy/observe/alerts.yml', import.meta.url));

/** Minutes become seconds, and thresholds of time shrink, so that a test need not wait. The rules stay the same. */
async function fasterRules(): Promise<string> {
  const text = await readFile(rulesFile, 'utf8');
  return text
    .replaceAll(/for: \d+m/g, 'for: 1s')
    .replaceAll(/\[\d+[mh]\]/g, '[16s]')
    .replaceAll(/offset \d+m/g, 'offset 15s')
    .replace('> 300', '> 3')
    .replace('seconds) > 60', 'seconds) > 3')
    .replace('{priority="otp"}) > 10', '{priority="otp"}) > 3')
    .replace('))) > 5\n', '))) > 2\n');
}

type Answer<T> = { readonly status: string; readonly data: T };

/** `scrapeEvery`: seconds. */
export async function startPrometheus(
  targets: readonly string[],
  token: string,
  scrapeEvery: number,
): Promise<Prometheus> {
  const [port, home] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'kurir-prometheus-'))]);
  const url = `http://127.0.0.1:${port}`;
  await writeFile(join(home, 'alerts.yml'), await fasterRules());
  // JSON is YAML.
  const config = {
    global: { scrape_interval: `${scrapeEvery}s`, scrape_timeout: `${scrapeEvery}s`, evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'kurir', authorization: { credentials: token }, static_configs: [{ targets }] }],
  };
  await writeFile(join(home, 'prometheus.yml'), JSON.stringify(config));
  const args = [`--config.file=${home}/prometheus.yml`, `--storage.tsdb.path=${home}/data`];
  const program: ChildProcess = spawn(
    join(folder ?? '', 'prometheus'),
    [...args, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    { stdio: 'ignore' },
  );
  const exited = once(program, 'exit');
  const kill = () => void program.kill('SIGKILL');
  process.once('exit', kill);
  const read = async <T>(path: string) => {
    const answer = (await (await fetch(`${url}${path}`)).json()) as Answer<T>;
    if (answer.status !== 'success') throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const isReady = async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
  await waitUntil(isReady, { what: 'Prometheus is ready', timeoutMs: 60_000 });
  async function query(text: string) {
    type Found = { result: { metric: Record<string, string>; value: [number, string] }[] };
    return (await read<Found>(`/api/v1/query?query=${encodeURIComponent(text)}`)).result;
  }
  /** How often the target that answered least has answered. */
  async function fewestScrapes(): Promise<number> {
    const counts = await query('count_over_time((up == 1)[1h:1s])');
    return counts.length < targets.length ? 0 : Math.min(...counts.map(({ value: [, count] }) => Number(count)));
  }
  return {
    query,
    async scraped(times) {
      const enough = (await fewestScrapes()) + times * scrapeEvery;
      await waitUntil(async () => (await fewestScrapes()) > enough, {
        what: 'Prometheus has scraped',
        timeoutMs: 120_000,
      });
    },
    async firing() {
      type Alerts = { alerts: { state: string; labels: { alertname: string } }[] };
      const { alerts } = await read<Alerts>('/api/v1/alerts');
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
    },
    async stop() {
      process.off('exit', kill);
      kill();
      await exited;
      await rm(home, { recursive: true, force: true });
    },
  };
}
