/**
 * Rolling upgrades under load: every program ends and starts again, one at a time, while clients send requests. The
 * other programs must serve everybody. With another checkout, each round changes all programs to the other version, so
 * apis and workers of both versions work together, up and back.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@kurir/testing';
import { type Latency, otpLatency } from '../checks/compare.js';
import type { FindingName } from '../checks/findings.js';
import { openGatewayClient } from '../client/gateway-client.js';
import { Load } from '../client/load.js';
import type { DevicePlan } from '../plan/device-plan.js';
import { createRandom } from '../plan/random.js';
import { type AttackedSystem, startAttackedSystem } from '../processes/attacked-system.js';
import type { ServerCommands } from '../processes/servers.js';
import { openClientRecord } from '../records/client-record.js';
import { countFindings, describeFindings } from '../report/describe-findings.js';
import { judge, untilDecided } from './judge.js';

export type UpgradeOptions = {
  readonly directory: string;
  readonly commands: ServerCommands;
  readonly seed: string;
  /** How many times every program is started again. */
  readonly faults: number;
  /** A built checkout of another version. */
  readonly from: string | null;
  readonly tell: (text: string) => void;
};

export type UpgradeReport = Readonly<Record<FindingName, number>> & {
  readonly seed: string;
  readonly upgrades: number;
  readonly starts: number;
  readonly accepted: number;
  readonly accepted_per_second: number;
  readonly answers_5xx: number;
  /** Requests that met a stopping api. The client then asked the other api. */
  readonly answers_unclear: number;
  readonly expired: number;
  readonly otp_latency_ms_before: Latency | null;
  readonly otp_latency_ms_during: Latency | null;
  readonly findings: readonly string[];
};

/** No device is polite: messages over a limit expire, and no message may expire here. */
const devicePlan: DevicePlan = { accounts: 5, devicesEach: 4, politeEach: 0 };
const perSecond = 120;
const calmMs = 8_000;
const betweenMs = 1_000;
const connectedWithinMs = 120_000;

async function allConnected({ servers }: AttackedSystem): Promise<boolean> {
  const { rows } = await servers.database.pool.query<{ away: number }>(
    `SELECT count(*)::int AS away FROM devices d JOIN device_leases l ON l.device_id = d.id
     WHERE d.state <> 'connected' OR l.owner IS NULL OR l.expires_at <= now()`,
  );
  return rows[0]?.away === 0;
}

/** Returns how many programs started again. */
async function restartAll(system: AttackedSystem): Promise<number> {
  const { apis, workers } = system.gateway;
  const programs = [...apis, ...workers.map((worker) => worker.program)];
  for (const program of programs) {
    await program.end('SIGTERM');
    await program.untilReady();
    const what = 'all devices are connected again';
    await waitUntil(() => allConnected(system), { what, timeoutMs: connectedWithinMs, everyMs: 100 });
    await sleep(betweenMs);
  }
  return programs.length;
}

async function upgradeUnderLoad(
  system: AttackedSystem,
  { directory, seed, faults, tell }: UpgradeOptions,
  versions: Versions,
): Promise<UpgradeReport> {
  const record = openClientRecord(join(directory, 'client.jsonl'));
  const client = openGatewayClient(system.gateway.apiPorts);
  const random = createRandom(seed, 'load');
  const { accounts } = system;
  const load = new Load({ random, accounts, devicePlan, record, client, perSecond, isBehind: () => false });
  const startedAt = Date.now();
  await sleep(calmMs);
  const upgradeAt = Date.now();
  let starts = 0;
  for (let upgrades = 1; upgrades <= faults; upgrades++) {
    versions.change();
    starts += await restartAll(system);
    tell(`upgrade ${upgrades} of ${faults}: ${versions.current()}`);
  }
  await untilDecided(load);
  client.close();
  const { counts, findings, messages } = await judge(system, record, tell);
  return {
    seed,
    upgrades: faults,
    starts,
    accepted: counts.accepted,
    accepted_per_second: Math.round(load.accepted / load.seconds),
    answers_5xx: [...client.counts.serverErrors.values()].reduce((sum, count) => sum + count, 0),
    answers_unclear: client.counts.unclear - client.counts.thrownAway,
    expired: counts.expired,
    otp_latency_ms_before: otpLatency(messages, startedAt + 2_000, upgradeAt - 2_000),
    otp_latency_ms_during: otpLatency(messages, upgradeAt, Number.POSITIVE_INFINITY),
    ...countFindings(findings),
    findings: describeFindings(findings),
  };
}

type Versions = { current(): string; change(): void };

const here = fileURLToPath(new URL('../../../', import.meta.url));

/** Begins with the other checkout, if there is one. */
function versionsOf(from: string | null): Versions {
  let current = from ?? here;
  return {
    current: () => current,
    change() {
      if (from !== null) current = current === here ? from : here;
    },
  };
}

export async function runUpgrade(options: UpgradeOptions): Promise<UpgradeReport> {
  const versions = versionsOf(options.from);
  const system = await startAttackedSystem({
    ...options,
    devicePlan,
    workers: 2,
    imports: [],
    env: {},
    checkout: versions.current,
  });
  try {
    return await upgradeUnderLoad(system, options, versions);
  } finally {
    await system.stop();
  }
}
