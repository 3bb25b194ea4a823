import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { definitions } from './instruments.js';
import { metrics } from './metrics.js';
import { type MetricsOptions, type MetricsServer, serveMetrics } from './serve-metrics.js';
import { gatewayGauges } from './gateway-gauges.js';

let server: MetricsServer | null = null;
afterEach(() => server?.close());

async function serve(changes: Partial<MetricsOptions> = {}): Promise<string> {
  server?.close();
  const refresh = () => Promise.resolve();
  server = await serveMetrics({ program: 'api', host: '127.0.0.1', port: 0, token: undefined, refresh, ...changes });
  return `http://127.0.0.1:${server.port}/metrics`;
}

const read = async (url: string) => (await fetch(url)).text();

describe('the page of metrics', () => {
  test('shows what was counted, and the process', async () => {
    metrics.acceptedMessages.add({ priority: 'otp' }, 3);
    metrics.trySeconds.observe({ network: 'simulator' }, 0.2);
    const text = await read(await serve());
    expect(text).toContain('kurir_messages_accepted_total{priority="otp"} 3\n');
    expect(text).toContain('kurir_try_duration_seconds_bucket{le="0.25",network="simulator"} 1\n');
    expect(text).toMatch(/^kurir_build_info\{program="api",version="\d+\.\d+\.\d+",node="v\d+.*"\} 1$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });

  test('asks for fresh gauges before each answer', async () => {
    let held = 0;
    const refresh = async () => metrics.heldDevices.show([[{}, (held += 1)]]);
    const url = await serve({ refresh });
    expect(await read(url)).toContain('kurir_worker_devices 1\n');
    expect(await read(url)).toContain('kurir_worker_devices 2\n');
  });

  test('comes without fresh gauges if they take too long', async () => {
    const startedAt = performance.now();
    const text = await read(await serve({ refresh: () => sleep(60_000, undefined, { ref: false }) }));
    expect(text).toContain('kurir_build_info');
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  test('needs the token if there is one', async () => {
    const token = 'a-token-of-the-scraper';
    const url = await serve({ token });
    const statusWith = async (authorization?: string) =>
      (await fetch(url, authorization === undefined ? {} : { headers: { authorization } })).status;
    expect(await statusWith()).toBe(401);
    expect(await statusWith(token)).toBe(401);
    expect(await statusWith(`Bearer ${token}x`)).toBe(401);
    expect(await statusWith(`Bearer ${token}`)).toBe(200);
  });

  test('is the only page', async () => {
    const url = await serve();
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404);
    expect((await fetch(`${url}?name=x`)).status).toBe(200);
  });

  test('is not served on a port that is taken', async () => {
    await serve();
    const port = server?.port ?? 0;
    const options = {
      program: 'api',
      host: '127.0.0.1',
      port,
      token: undefined,
      refresh: () => Promise.resolve(),
    } as const;
    await expect(serveMetrics(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

test('a gauge shows only its newest values', async () => {
  gatewayGauges.webhooks.show([
    [{ state: 'working' }, 2],
    [{ state: 'failing' }, 1],
  ]);
  gatewayGauges.webhooks.show([[{ state: 'working' }, 3]]);
  const text = await read(await serve());
  expect(text).toContain('kurir_webhooks{state="working"} 3\n');
  expect(text).not.toContain('kurir_webhooks{state="failing"}');
});

test('a gauge that shows nothing has no series, and one without labels has no zero', async () => {
  expect(await read(await serve())).not.toMatch(/^kurir_devices_wanted/m);
  gatewayGauges.devicesWanted.show([[{}, 2]]);
  expect(await read(await serve())).toMatch(/^kurir_devices_wanted 2$/m);
  gatewayGauges.devicesWanted.show([]);
  expect(await read(await serve())).not.toMatch(/^kurir_devices_wanted/m);
});

test('every metric is named and explained', () => {
  expect(definitions.length).toBeGreaterThan(30);
  for (const { name, kind, help } of definitions) {
    expect(name).toMatch(/^kurir_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(kind === 'counter');
    expect(help).toMatch(/^[A-Z1].*\.$/);
  }
});
