import { type DeviceId, newId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { beforeEach, expect, test } from 'vitest';
import type { QueueConnection } from './connect.js';
import { createEnqueuer } from './enqueue.js';
import type { LaneJob } from './lane-job.js';
import { readLaneCounts } from './lane-window.js';
import { createOtpBell, type OtpBell, ringForOtps } from './otp-bell.js';
import { useBench } from './testing/bench.js';

const bench = useBench();
const [otp, normal] = [0, 1];
let api: QueueConnection;
let bell: OtpBell;
let deviceId: DeviceId;
let rings: number;
const onRing = () => void rings++;

beforeEach(async () => {
  api = await bench().connect();
  bell = createOtpBell(await bench().connect());
  deviceId = newId('dev');
  [rings, counted] = [0, 0];
});

/** Rings that somebody was counted for. */
let counted: number;

async function isHeard(): Promise<boolean> {
  const heard = await ringForOtps(api, deviceId);
  if (heard) counted++;
  return heard;
}

const untilHeard = () => waitUntil(isHeard, { what: 'somebody listens' });
const untilUnheard = () => waitUntil(async () => !(await isHeard()), { what: 'nobody listens any more' });
const untilAllAreHeard = () =>
  waitUntil(() => rings === counted, { what: 'all are heard that somebody was counted for' });

/** As one api does, which knows when it made a job last; answers what stands in the lane afterwards, and empties it. */
function openEnqueuer(now?: () => number) {
  const onDropped = (_count: number, error: unknown) => expect.unreachable(String(error));
  const enqueuer = createEnqueuer(api, now === undefined ? { onDropped } : { onDropped, now });
  return async (...jobs: readonly LaneJob[]) => {
    enqueuer.offer(jobs);
    await enqueuer.close();
    const standing = await readLaneCounts(api, deviceId);
    await api.laneQueue(deviceId).drain();
    return standing;
  };
}

test('every otp is rung for; while somebody listens only one a second has a job, too', async () => {
  let now = 5_000;
  const offer = openEnqueuer(() => now);
  bell.listen(deviceId, onRing);
  await untilHeard();
  await untilAllAreHeard();
  const before = rings;
  const [job, other] = [() => bench().job(deviceId, otp), newId('dev')];
  expect(await offer(job())).toEqual([1, 0, 0]);
  await waitUntil(() => rings === before + 1, { what: 'the ring beside the job is heard' });
  expect(await offer(job(), bench().job(deviceId, normal), bench().job(other, otp))).toEqual([0, 1, 0]);
  expect(await readLaneCounts(api, other)).toEqual([1, 0, 0]);
  await waitUntil(() => rings === before + 2, { what: 'the ring is heard' });
  now += 999;
  expect(await offer(job())).toEqual([0, 0, 0]);
  now += 1;
  expect(await offer(job())).toEqual([1, 0, 0]);
  await waitUntil(() => rings === before + 4, { what: 'all rings are heard' });
});

test('an otp that follows another has a job where nobody listens', async () => {
  const offer = openEnqueuer();
  for (let n = 0; n < 2; n++) expect(await offer(bench().job(deviceId, otp))).toEqual([1, 0, 0]);
});

test('where nobody listened it is not rung again at once', async () => {
  let now = 5_000;
  const offer = openEnqueuer(() => now);
  const one = () => offer(bench().job(deviceId, otp));
  const inLane = [await one(), await one()];
  bell.listen(deviceId, onRing);
  await untilHeard();
  await untilAllAreHeard();
  const before = rings;
  now += 99;
  inLane.push(await one());
  now += 1;
  expect(inLane.concat([await one()])).toEqual([
    [1, 0, 0],
    [1, 0, 0],
    [1, 0, 0],
    [0, 0, 0],
  ]);
  await waitUntil(() => rings === before + 1, { what: 'the ring is heard' });
});

test('who stops still hears what was rung for before Redis knew', async () => {
  const { connection, proxy } = await bench().connectThroughProxy();
  const stop = createOtpBell(connection).listen(deviceId, onRing);
  await untilHeard();
  await untilAllAreHeard();
  proxy.freeze();
  stop();
  for (let n = 0; n < 3; n++) expect(await isHeard()).toBe(true);
  expect(rings).toBe(counted - 3);
  proxy.thaw();
  await untilUnheard();
  await untilAllAreHeard();
});

test('who listens in the place of another goes on when that one stops', async () => {
  let later = 0;
  const stop = bell.listen(deviceId, onRing);
  bell.listen(deviceId, () => void later++);
  stop();
  await untilHeard();
  await waitUntil(() => later > 0, { what: 'the later one hears' });
  expect(rings).toBe(0);
});

test('who stops and listens again at once hears everything', async () => {
  const stop = bell.listen(deviceId, onRing);
  await untilHeard();
  stop();
  bell.listen(deviceId, onRing);
  for (let n = 0; n < 100; n++) await isHeard();
  expect(await isHeard()).toBe(true);
  await untilAllAreHeard();
});

test('while the listener is cut off otps have jobs again; afterwards it hears without being asked', async () => {
  const { connection, proxy } = await bench().connectThroughProxy();
  let now = 5_000;
  const offer = openEnqueuer(() => now);
  const one = () => bench().job(deviceId, otp);
  createOtpBell(connection).listen(deviceId, onRing);
  await untilHeard();
  expect([await offer(one()), await offer(one())]).toEqual([
    [1, 0, 0],
    [0, 0, 0],
  ]);
  await proxy.cut();
  await untilUnheard();
  expect(await offer(one())).toEqual([1, 0, 0]);
  await proxy.restore();
  await untilHeard();
  now += 100;
  expect(await offer(one())).toEqual([0, 0, 0]);
});

test('rejects while Redis is away', async () => {
  const { connection, proxy } = await bench().connectThroughProxy();
  await proxy.cut();
  await expect(ringForOtps(connection, deviceId)).rejects.toThrow();
});
