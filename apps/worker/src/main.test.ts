/** The worker's program: its settings, its health endpoints, and its stop on SIGTERM. */
import {
  freePort,
  type RunningProgram,
  startProgram,
  hasRedisServer,
  startRedisServer,
  stopAllPrograms,
  waitUntil,
  whyNoRedisServer,
} from '@kurir/testing';
import { afterEach, expect, test } from 'vitest';
import { useWorkerFixture } from '../test/worker-fixture.js';
import { newPhoneNumber, numberedTexts } from '../test/network.js';

const fixture = useWorkerFixture();
afterEach(stopAllPrograms);

const path = 'apps/worker/dist/main.js';

async function startWorkerProgram(
  changes: Record<string, string> = {},
): Promise<{ program: RunningProgram; url: string }> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/health`;
  const env = { ...fixture().settings, KURIR_HEALTH_PORT: port, ...changes };
  return { program: await startProgram({ path, env, ready: `${url}/ready` }), url };
}

test('the health endpoints say that the worker is alive, and that it cannot work while Postgres is unavailable', async () => {
  const { url } = await startWorkerProgram();
  const status = async (name: string) => (await fetch(`${url}/${name}`)).status;
  expect([await status('live'), await status('ready'), await status('other')]).toEqual([200, 200, 404]);
  await fixture().postgres.cut();
  await waitUntil(async () => (await status('ready')) === 503, { what: 'it is not ready' });
  expect(await status('live')).toBe(200);
  await fixture().postgres.restore();
  await waitUntil(async () => (await status('ready')) === 200, { what: 'it is ready again' });
});

test('a worker without Redis is not ready, and its answer names the part that is missing', async () => {
  const { url } = await startWorkerProgram();
  const ready = async () => {
    const answer = await fetch(`${url}/ready`);
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  expect(await ready()).toMatchObject({ status: 200, ok: true, database: 'up', redis: 'up', leases: 'renewed' });
  await fixture().redis.cut();
  await waitUntil(async () => (await ready()).status === 503, { what: 'it is not ready' });
  expect(await ready()).toMatchObject({ ok: false, database: 'up', redis: 'down' });
  await fixture().redis.restore();
  await waitUntil(async () => (await ready()).status === 200, { what: 'it is ready again' });
});

test.skipIf(!hasRedisServer)(`a Redis Cluster stops the start (skipped: ${whyNoRedisServer})`, async () => {
  const cluster = await startRedisServer({ config: ['cluster-enabled yes'] });
  const program = await startProgram({ path, env: { ...fixture().settings, REDIS_URL: cluster.url } });
  expect(await program.exited).toEqual({ code: 1, signal: null });
  expect(program.lines.join('\n')).toContain('Redis Cluster');
  await cluster.stop();
});

test('SIGTERM stops it in mid-send within seconds: every acknowledged message is stored, and the others wait', async () => {
  const { program } = await startWorkerProgram();
  const customer = await fixture().customer({ pacePerMinute: 3_000 });
  const phone = newPhoneNumber();
  const ids = await fixture().sendTexts(customer, phone, numberedTexts(60));
  await fixture().network.untilTexts(phone, 10);
  expect(await program.stop('SIGTERM', 10_000)).toEqual({ code: 0, signal: null });
  expect(await fixture().owner(customer.deviceId)).toBeNull();
  const taken = (await fixture().network.texts(phone)).length;
  expect(taken).toBeLessThan(60);
  const states = await Promise.all(ids.map(async (id) => (await fixture().message(id)).status));
  expect(states.filter((status) => status === 'queued')).toHaveLength(60 - taken);
  expect(states).not.toContain('sending');
  fixture().startWorker();
  await fixture().network.expectTexts(phone, numberedTexts(60));
  expect((await fixture().network.inbox(phone)).every((entry) => entry.copies === 0)).toBe(true);
});

test('an unknown role stops the start, and the answer of a worker without devices names its roles only', async () => {
  const wrong = await startProgram({ path, env: { ...fixture().settings, KURIR_WORKER_ROLES: 'devices,mails' } });
  expect(await wrong.exited).toEqual({ code: 1, signal: null });
  expect(wrong.lines.join('\n')).toContain('KURIR_WORKER_ROLES must be');
  const { url, program } = await startWorkerProgram({ KURIR_WORKER_ROLES: 'webhooks,broadcasts' });
  const answer: unknown = await (await fetch(`${url}/ready`)).json();
  expect(answer).toEqual({ ok: true, roles: ['webhooks', 'broadcasts'], database: 'up', redis: 'up' });
  expect(await program.stop('SIGTERM', 10_000)).toEqual({ code: 0, signal: null });
});

test.each(['KURIR_HEALTH_PORT', 'KURIR_METRICS_PORT'])('a port in use as %s gives a plain error', async (setting) => {
  const { url } = await startWorkerProgram();
  const own = { KURIR_HEALTH_PORT: String(await freePort()), [setting]: new URL(url).port };
  const second = await startProgram({ path, env: { ...fixture().settings, ...own } });
  expect(await second.exited).toEqual({ code: 1, signal: null });
  expect(second.lines.join('\n')).toMatch(new RegExp(`EADDRINUSE.*${setting}`));
  expect(second.lines.join('\n')).not.toContain('    at ');
});

test('without its settings it names each missing one and exits', async () => {
  const program = await startProgram({ path });
  expect(await program.exited).toEqual({ code: 1, signal: null });
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'KURIR_MASTER_KEY', 'KURIR_INTERNAL_KEY'])
    expect(program.lines.join('\n')).toContain(`${name} is missing`);
});
