import { type DeviceId, newId } from '@kurir/contracts';
import { testRedisUrl, waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import { createEnqueuer } from './enqueue.js';
import type { QueueConnection } from './connect.js';
import { type FillOptions, fillLanes } from './fill-lanes.js';
import { readLaneCounts } from './lane-window.js';
import { useBench } from './testing/bench.js';

const bench = useBench();

describe('enqueueing', () => {
  test('of what was accepted together the last of each lane and priority gets the job', async () => {
    const connection = await bench().connect();
    const [first, second] = [newId('dev'), newId('dev')];
    const jobs = [0, 1, 2, 1, 0].flatMap((priority) => [
      ...bench().jobs(first, 30, priority),
      ...bench().jobs(second, 1, priority),
    ]);
    await bench().offerTogether(connection, jobs.toReversed());
    for (const deviceId of [first, second]) {
      const standing = await connection.laneQueue(deviceId).getJobs(['prioritized']);
      const last = [0, 1, 2].map(
        (priority) => jobs.findLast((job) => job.deviceId === deviceId && job.priority === priority)?.messageId,
      );
      expect(standing.map((job) => job.id).toSorted()).toEqual(last.toSorted());
    }
  });

  test('keeps to the window: of 150 offered one after the other 100 stand in Redis', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const jobs = bench().jobs(deviceId, 150, 2);
    await bench().offer(connection, jobs);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 0, 100]);
    const standing = await connection.laneQueue(deviceId).getJobs(['prioritized']);
    expect(standing.map((job) => job.id).toSorted()).toEqual(
      jobs
        .slice(0, 100)
        .map((job) => job.messageId)
        .toSorted(),
    );
  });

  test('gives each priority its own window, of which that of otps is one job', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const mixed = [0, 1, 2].flatMap((priority) => bench().jobs(deviceId, 150, priority));
    await bench().offer(connection, mixed);
    expect(await readLaneCounts(connection, deviceId)).toEqual([1, 100, 100]);
  });

  test('of an otp does not wait for a lane that Redis is slow to count', async () => {
    const connection = await bench().connect();
    const [broadcaster, sender] = [newId('dev'), newId('dev')];
    let answer: (counts: Record<string, number>) => void = () => undefined;
    const counts = new Promise<Record<string, number>>((resolve) => {
      answer = resolve;
    });
    const slow: QueueConnection = {
      ...connection,
      laneQueue(deviceId) {
        const lane = connection.laneQueue(deviceId);
        if (deviceId === broadcaster) lane.getCountsPerPriority = () => counts;
        return lane;
      },
    };
    const enqueuer = createEnqueuer(slow, { onDropped: (_count, error) => expect.unreachable(String(error)) });
    enqueuer.offer(bench().jobs(broadcaster, 1, 2));
    await new Promise((resolve) => setImmediate(resolve));
    enqueuer.offer(bench().jobs(sender, 1, 0));
    await waitUntil(async () => (await readLaneCounts(connection, sender))[0] === 1, { what: 'the otp has its job' });
    answer({});
    await enqueuer.close();
    expect(await connection.laneQueue(broadcaster).getJobCountByTypes()).toBe(1);
  });

  test('adds a job that stands there already not again', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const jobs = bench().jobs(deviceId, 10);
    for (let time = 0; time < 3; time++) await bench().offer(connection, jobs);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 10, 0]);
  });

  test('never throws when Redis is away: it says how many were dropped, and goes on when it is back', async () => {
    const { connection, proxy } = await bench().connectThroughProxy();
    const deviceId = newId('dev');
    const dropped: number[] = [];
    const enqueuer = createEnqueuer(connection, { onDropped: (count) => void dropped.push(count) });
    await proxy.cut();
    await waitUntil(() => connection.commands.status !== 'ready', { what: 'the connection is gone' });
    enqueuer.offer(bench().jobs(deviceId, 7));
    await enqueuer.close();
    expect(dropped).toEqual([7]);
    await proxy.restore();
    await waitUntil(() => connection.commands.status === 'ready', { what: 'the connection is back' });
    enqueuer.offer(bench().jobs(deviceId, 2));
    await enqueuer.close();
    expect(dropped).toEqual([7]);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 1, 0]);
  });

  test('tells of every job that was on its way when the connection broke', async () => {
    const { connection, proxy } = await bench().connectThroughProxy();
    const lost: number[] = [];
    const enqueuer = createEnqueuer(connection, { onDropped: (count) => void lost.push(count) });
    proxy.freeze();
    for (let i = 0; i < 5; i++) enqueuer.offer(bench().jobs(newId('dev'), 3));
    await new Promise(setImmediate);
    await proxy.cut();
    await enqueuer.close();
    expect(lost.reduce((sum, count) => sum + count, 0)).toBe(5);
  });
});

/** Of one lane; a failure rejects. */
const fillWith = (
  connection: QueueConnection,
  deviceId: DeviceId,
  priority: number,
  readDueJob: FillOptions['readDueJob'],
) =>
  fillLanes(connection, [{ deviceId, priority }], {
    readDueJob,
    onFailure: (_deviceId, error) => {
      throw error;
    },
  });

describe('filling lanes from the database', () => {
  test('gives a lane without a job one, and adds nothing twice', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const [job = null] = bench().jobs(deviceId, 1, 2);
    let reads = 0;
    const fill = () =>
      fillWith(connection, deviceId, 2, async () => {
        reads++;
        return job;
      });
    expect(await fill()).toBe(1);
    expect(await fill()).toBe(0);
    expect(reads).toBe(1);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 0, 1]);
    await connection.laneQueue(deviceId).remove(job?.messageId ?? '');
    expect(await fill()).toBe(1);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 0, 1]);
  });

  test('a job of another priority is no job of this one', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    await bench().offer(connection, bench().jobs(deviceId, 3, 2));
    expect(await fillWith(connection, deviceId, 1, async () => bench().job(deviceId, 1))).toBe(1);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 1, 3]);
  });

  test('adds nothing for what is no longer due', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    expect(await fillWith(connection, deviceId, 1, async () => null)).toBe(0);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 0, 0]);
  });

  test('brings a job back after Redis was wiped, with the cap on its events', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const jobs = bench().jobs(deviceId, 20);
    await bench().offer(connection, jobs);
    await bench().wipe();
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 0, 0]);
    await fillWith(connection, deviceId, 1, async () => jobs.at(-1) ?? null);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 1, 0]);
    expect(await bench().redis.hget(`{${bench().prefix}:${deviceId}}:lane:meta`, 'opts.maxLenEvents')).toBe('10');
  });

  test('rejects when Redis is away, so that the sweep tries again', async () => {
    const { connection, proxy } = await bench().connectThroughProxy();
    await proxy.cut();
    const deviceId = newId('dev');
    await expect(fillWith(connection, deviceId, 1, async () => bench().job(deviceId))).rejects.toThrow();
  });

  test('one that cannot be filled keeps no other from its job', async () => {
    const connection = await bench().connect();
    const [bad, good] = [newId('dev'), newId('dev')];
    const failed: string[] = [];
    const offered = await fillLanes(
      connection,
      [bad, good].map((deviceId) => ({ deviceId, priority: 1 })),
      {
        readDueJob: async (deviceId) => {
          if (deviceId === bad) throw new Error('not now');
          return bench().job(deviceId);
        },
        onFailure: (deviceId) => void failed.push(deviceId),
      },
    );
    expect([offered, failed]).toEqual([1, [bad]]);
    expect(await readLaneCounts(connection, good)).toEqual([0, 1, 0]);
  });

  test('one that was first looked at while Redis was silent is filled once Redis answers', async () => {
    const { connection, proxy } = await bench().connectThroughProxy();
    const deviceId = newId('dev');
    const fill = () => fillWith(connection, deviceId, 1, async () => bench().job(deviceId));
    proxy.freeze();
    await expect(fill()).rejects.toThrow('timed out');
    proxy.thaw();
    expect(await fill()).toBe(1);
  });
});

test('while Redis holds 100,000 keys only what keeps lanes moving is added', async () => {
  // In a database of its own: the number of keys there is everybody's.
  const own = new URL(testRedisUrl());
  own.pathname = '/7';
  const connection = await bench().connect(own.href);
  const each = async (command: string) =>
    connection.commands.eval(`for i = 1, 100001 do redis.call(${command}) end`, 0, bench().prefix);
  await each(`'SET', ARGV[1] .. ':filler:' .. i, ''`);
  try {
    const deviceId = newId('dev');
    await bench().offer(connection, [...bench().jobs(deviceId, 5, 2), ...bench().jobs(deviceId, 3, 0)]);
    expect(await readLaneCounts(connection, deviceId)).toEqual([1, 0, 2]);
  } finally {
    await each(`'DEL', ARGV[1] .. ':filler:' .. i`);
    await bench().wipe(connection.commands);
  }
});
