/** A Prometheus of Debian that scrapes programs of a test every four seconds, with the product's own rules, but faster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, waitUntil } from '@kurir/testing';

/** `npm test` finds or unpacks Prometheus (scripts/downloads/prometheus.mjs). */
const folder = process.env['KURIR_TEST_PROMETHEUS'];
const isWanted = process.env['KURIR_TEST_LIVE_ALERTS'] === '1';
/** The causes need their own times, which a machine that is full of other tests does not give. */
export const hasPrometheus = folder !== undefined && isWanted;
export const whyNoPrometheus = isWanted
  ? 'no Prometheus was found'
  : 'needs a quiet machine; run it alone with KURIR_TEST_LIVE_ALERTS=1';

export type Prometheus = {
  /** Returns the series of a query, now. */
  query(text: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
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

export async function startPrometheus(targets: readonly string[], token: string): Promise<Prometheus> {
  const [port, home] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'kurir-prometheus-'))]);
  const url = `http://127.0.0.1:${port}`;
  await writeFile(join(home, 'alerts.yml'), await fasterRules());
  // JSON is YAML.
  const config = {
    global: { scrape_interval: '4s', scrape_timeout: '4s', evaluation_interval: '1s' },
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
  const read = async <T>(path: string) => ((await (await fetch(`${url}${path}`)).json()) as Answer<T>).data;
  const isReady = async () => (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
  await waitUntil(isReady, { what: 'Prometheus is ready', timeoutMs: 60_000 });
  return {
    async query(text) {
      type Found = { result: { metric: Record<string, string>; value: [number, string] }[] };
      return (await read<Found>(`/api/v1/query?query=${encodeURIComponent(text)}`)).result;
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
