/** The worker's program on a Redis Cluster and behind Sentinel: a primary is lost in mid-send, and all messages arrive once. */
import {
  freePort,
  hasRedisServer,
  startProgram,
  startRedisCluster,
  startRedisSentinel,
  stopAllPrograms,
  waitUntil,
} from '@kurir/testing';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { newPhoneNumber, numberedTexts } from '../test/network.js';
import { useWorkerFixture } from '../test/worker-fixture.js';

const fixture = useWorkerFixture();
afterEach(stopAllPrograms);

const path = 'apps/worker/dist/main.js';
const count = 60;

/** A warning or an error in the log of a program. */
const isComplaint = (line: string) => /"level":[456]0/.test(line);

type Started = {
  readonly settings: Record<string, string>;
  /** Ends primaries for good. Others take their place. */
  lose(): Promise<unknown>;
  stop(): Promise<void>;
};

async function cluster(): Promise<Started> {
  const { settings, nodes, stop } = await startRedisCluster({ replicas: true, password: 'secret' });
  // Two primaries of three must vote, so one is lost.
  return { settings, stop, lose: async () => nodes[0]?.kill() };
}

async function sentinel(): Promise<Started> {
  const { settings, primary, stop } = await startRedisSentinel();
  return { settings, stop, lose: async () => (await primary()).kill() };
}

describe.skipIf(!hasRedisServer).each([
  ['a Redis Cluster', cluster],
  ['a primary that Sentinel watches', sentinel],
])('%s', (_what, start) => {
  test('is lost in mid-send: every message arrives once, and the worker is ready again', async () => {
    const redis = await start();
    onTestFinished(() => redis.stop());
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}/health/ready`;
    const env = { ...fixture().settings, ...redis.settings, KURIR_HEALTH_PORT: port };
    const program = await startProgram({ path, env, ready: url });
    const customers = await Promise.all([0, 1, 2].map(() => fixture().customer({ pacePerMinute: 600 })));
    const phones = customers.map(newPhoneNumber);
    for (const [i, customer] of customers.entries())
      await fixture().sendTexts(customer, phones[i] ?? '', numberedTexts(count));
    for (const phone of phones) await fixture().network.untilTexts(phone, 5);
    await redis.lose();
    for (const phone of phones) {
      await fixture().network.expectTexts(phone, numberedTexts(count));
      expect((await fixture().network.inbox(phone)).every((entry) => entry.copies === 0)).toBe(true);
    }
    await waitUntil(async () => (await fetch(url)).status === 200, { what: 'it is ready again', timeoutMs: 60_000 });
    expect(program.lines.filter(isComplaint).length).toBeLessThan(100);
    expect(await program.stop('SIGTERM', 20_000)).toEqual({ code: 0, signal: null });
  });
});
