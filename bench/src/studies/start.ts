/** `start`: the time from `npm start`, with everything already built, to the first delivered message. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@kurir/testing';
import { callGateway } from '../gateway/call-gateway.js';
import { nextMessage } from '../load/prepare-requests.js';
import type { Setting } from '../processes/setting.js';
import { median } from '../readings/percentile.js';
import type { Figure } from '../report/figures.js';
import type { Options } from './options.js';
import type { Study } from './study.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const devFile = `${root}.kurir/dev.json`;
/** `npm start` writes this file and removes it when its last process has ended. */
const runningFile = `${root}.kurir/running.json`;
const startsWithinMs = 120_000;
const sendTarget = '/api/v1/messages/send';

/** `npm start` writes this for the command line client. */
type Gateway = {
  readonly base_url: string;
  readonly api_key: string;
  readonly api_secret: string;
  readonly device_id: string;
};

function launch(setting: Setting): ChildProcess {
  const { NODE_ENV: _, DATABASE_URL: __, REDIS_URL: ___, ...env } = process.env;
  // npm and its children use the first Node in the path. It must be the one that runs the benchmark.
  const path = [dirname(process.execPath), env['PATH']].join(delimiter);
  const child = spawn('npm', ['start'], { cwd: root, env: { ...env, PATH: path, PORT: '0' }, stdio: 'ignore' });
  setting.cleanup.add(() => stop(child));
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  await waitUntil(() => !existsSync(runningFile), { what: 'npm start has ended', timeoutMs: startsWithinMs });
}

/** The time at which the file was written; 0 if there is none. */
function writtenAt(): number {
  try {
    return statSync(devFile).mtimeMs;
  } catch {
    return 0; // only the first start creates it
  }
}

const call = (gateway: Gateway, method: 'GET' | 'POST', target: string, body?: object) =>
  callGateway({
    baseUrl: gateway.base_url,
    apiKey: gateway.api_key,
    apiSecret: gateway.api_secret,
    deviceId: gateway.device_id,
    method,
    target,
    ...(body === undefined ? {} : { body }),
  });

/** Repeats the send, as a client would, because the demo device may still be connecting. */
async function deliverOne(gateway: Gateway): Promise<void> {
  let jobId = '';
  const isAccepted = async () => {
    const answer = await call(gateway, 'POST', sendTarget, nextMessage('otp'));
    if (answer.success) jobId = answer.data['job_id'] ?? '';
    return answer.success;
  };
  await waitUntil(isAccepted, { what: 'a message is accepted', timeoutMs: startsWithinMs, everyMs: 20 });
  const isDelivered = async () => {
    const { data } = await call(gateway, 'GET', `/api/v1/messages/${jobId}`);
    return data['status'] === 'delivered' || data['status'] === 'read';
  };
  await waitUntil(isDelivered, { what: 'the message is delivered', timeoutMs: startsWithinMs, everyMs: 20 });
}

async function startOnce(setting: Setting): Promise<number> {
  const before = writtenAt();
  const startedAt = performance.now();
  const child = launch(setting);
  const isUp = () => {
    if (child.exitCode !== null) throw new Error('npm start has ended; does one run already in this checkout?');
    return writtenAt() > before;
  };
  await waitUntil(isUp, { what: 'npm start is up', timeoutMs: startsWithinMs, everyMs: 20 });
  await deliverOne(JSON.parse(readFileSync(devFile, 'utf8')) as Gateway);
  const tookMs = performance.now() - startedAt;
  await stop(child);
  return tookMs;
}

async function run(setting: Setting, { runs }: Options): Promise<Figure[]> {
  await startOnce(setting);
  const seconds: number[] = [];
  for (let n = 1; n <= runs; n++) {
    seconds.push((await startOnce(setting)) / 1000);
    setting.tell(`start: run ${n} of ${runs}: ${seconds.at(-1)?.toFixed(2)} s`);
  }
  const unit = { unit: 's', digits: 2 };
  return [
    { name: 'npm start to the first delivered message', value: median(seconds), ...unit, atMost: 6 },
    { name: 'lowest of the runs', value: Math.min(...seconds), ...unit },
    { name: 'highest of the runs', value: Math.max(...seconds), ...unit },
  ];
}

export const start: Study = { name: 'start', run };
