import { newId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import type { Turn } from './lane.js';
import { encodeLaneJob, type LaneJob } from './lane-job.js';
import { readLaneCounts } from './lane-window.js';
import { gate, useBench } from './testing/bench.js';

const bench = useBench();

const empty = async (connection: Parameters<typeof readLaneCounts>[0], deviceId: LaneJob['deviceId']) =>
  (await readLaneCounts(connection, deviceId)).every((count) => count === 0);

describe('the order of a lane', () => {
  test('lets an otp overtake a window of 100 bulk messages, after the turn that runs', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const bulk = bench().jobs(deviceId, 100, 2);
    await bench().offer(connection, bulk);
    const first = gate();
    const taken: string[] = [];
    bench().lane(connection, deviceId, {
      take: async (job) => {
        taken.push(job.messageId);
        if (taken.length === 1) await first.opened;
        return 'done';
      },
    });
    await waitUntil(() => taken.length === 1, { what: 'the first bulk message is being sent' });
    const [normal, otp] = [bench().job(deviceId, 1), bench().job(deviceId, 0)];
    await bench().offer(connection, [normal, otp]);
    first.open();
    await waitUntil(() => taken.length === 102, { what: 'all were taken' });
    const [begun, ...waiting] = bulk.map((job) => job.messageId);
    expect(taken).toEqual([begun, otp.messageId, normal.messageId, ...waiting]);
  });

  test('says for how long it has had no turn: not while one lasts', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const turn = gate();
    let begun = false;
    const lane = bench().lane(connection, deviceId, {
      take: async () => {
        begun = true;
        await turn.opened;
        return 'done';
      },
    });
    await waitUntil(() => lane.idleMs() > 50, { what: 'it has had no turn for a while' });
    await bench().offer(connection, bench().jobs(deviceId, 1));
    await waitUntil(() => begun, { what: 'the turn has begun' });
    expect(lane.idleMs()).toBe(0);
    const openedAt = performance.now();
    turn.open();
    await waitUntil(() => lane.idleMs() > 0, { what: 'the turn is over' });
    expect(lane.idleMs()).toBeLessThan(performance.now() - openedAt);
  });

  test('takes one turn at a time', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    await bench().offer(connection, bench().jobs(deviceId, 30));
    let running = 0;
    let most = 0;
    let taken = 0;
    bench().lane(connection, deviceId, {
      take: async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        taken++;
        return 'done';
      },
    });
    await waitUntil(() => taken === 30, { what: 'all were taken' });
    expect(most).toBe(1);
  });

  test('keeps the place of a turn that is not over, behind otps only', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const [a, b] = bench().jobs(deviceId, 2);
    if (a === undefined || b === undefined) throw new Error('no jobs');
    await bench().offer(connection, [a, b]);
    const otp = bench().job(deviceId, 0);
    const taken: string[] = [];
    bench().lane(connection, deviceId, {
      take: async (job): Promise<Turn> => {
        taken.push(job.messageId);
        if (taken.length === 1) await bench().offer(connection, [otp]);
        return job.messageId === a.messageId && taken.length < 4 ? 'again' : 'done';
      },
    });
    await waitUntil(() => empty(connection, deviceId), { what: 'the lane is empty' });
    expect(taken).toEqual([a, otp, a, a, b].map((job) => job.messageId));
  });

  test('keeps the place of a turn that cannot be taken now, for the next lane', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const jobs = bench().jobs(deviceId, 3);
    await bench().offer(connection, jobs);
    const refused: string[] = [];
    const first = bench().lane(connection, deviceId, {
      take: async (job) => {
        refused.push(job.messageId);
        void first.close();
        return 'not-now';
      },
    });
    await waitUntil(() => refused.length > 0, { what: 'the first lane refused' });
    await first.close();
    const taken: string[] = [];
    bench().lane(connection, deviceId, {
      take: async (job) => {
        taken.push(job.messageId);
        return 'done';
      },
    });
    await waitUntil(() => taken.length === 3, { what: 'the second lane took all' });
    expect(taken).toEqual(jobs.map((job) => job.messageId));
    expect(refused).toEqual([jobs[0]?.messageId]);
  });

  test('gives back a turn at once to a lane that had found nothing to take', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    await bench().offer(connection, bench().jobs(deviceId, 1));
    const turn = gate();
    let isTaken = false;
    const first = bench().lane(connection, deviceId, {
      take: async () => {
        isTaken = true;
        await turn.opened;
        return 'again';
      },
    });
    await waitUntil(() => isTaken, { what: 'the first lane has the turn' });
    const closed = first.close();
    let drained = 0;
    let taken = 0;
    bench().lane(connection, deviceId, {
      onDrained: () => void drained++,
      take: async () => {
        taken++;
        return 'done';
      },
    });
    await waitUntil(() => drained > 0, { what: 'the second lane found nothing' });
    const hasMarker = async () => (await bench().keys(`*${deviceId}*:marker`)).length > 0;
    await waitUntil(async () => !(await hasMarker()), { what: 'it waits for a marker' });
    turn.open();
    await closed;
    // What nobody says comes to BullMQ's notice after 5 s.
    await waitUntil(() => taken === 1, { what: 'the second lane has the turn', timeoutMs: 2_500 });
  });

  test('keeps the pace of a slow device, and an otp waits for one interval at most', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    await bench().offer(connection, bench().jobs(deviceId, 4, 2));
    const at: number[] = [];
    const priorities: number[] = [];
    bench().lane(connection, deviceId, {
      pacePerMinute: 300,
      take: async (job) => {
        at.push(performance.now());
        priorities.push(job.priority);
        if (at.length === 2) await bench().offer(connection, [bench().job(deviceId, 0)]);
        return 'done';
      },
    });
    await waitUntil(() => at.length === 5, { what: 'all were taken' });
    expect(priorities).toEqual([2, 2, 0, 2, 2]);
    const intervals = at.slice(1).map((time, i) => time - (at[i] ?? 0));
    expect(Math.min(...intervals)).toBeGreaterThan(180);
  });
});

describe('a job that is not ours', () => {
  test.each<[string, (job: LaneJob) => unknown]>([
    ['with a changed field', (job) => ({ ...encodeLaneJob(job, bench().internalKey), p: 0 })],
    ['without a signature', (job) => ({ m: job.messageId, d: job.deviceId })],
    ['of another device', (job) => encodeLaneJob({ ...job, deviceId: newId('dev') }, bench().internalKey)],
    ['that is rubbish', () => ({ text: 'canary' })],
  ])('%s is dropped, told of, and stops nothing', async (_what, forge) => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    const queue = connection.laneQueue(deviceId);
    await queue.add('turn', forge(bench().job(deviceId)), { jobId: 'forged', priority: 1 });
    const good = bench().job(deviceId, 2);
    await bench().offer(connection, [good]);
    const taken: string[] = [];
    let foreign = 0;
    bench().lane(connection, deviceId, {
      take: async (job) => {
        taken.push(job.messageId);
        return 'done';
      },
      onForeignJob: () => void foreign++,
    });
    await waitUntil(() => taken.length > 0, { what: 'the good one was taken' });
    expect(taken).toEqual([good.messageId]);
    expect(foreign).toBe(1);
    expect(await queue.getJob('forged')).toBeUndefined();
  });
});

describe('a lane', () => {
  test('leaves nothing in Redis of what was done', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    await bench().offer(connection, bench().jobs(deviceId, 50));
    let drained = 0;
    let taken = 0;
    bench().lane(connection, deviceId, {
      take: async () => {
        taken++;
        return 'done';
      },
      onDrained: () => void drained++,
    });
    await waitUntil(() => taken === 50 && drained > 0, { what: 'the lane has run empty and said so' });
    const queue = connection.laneQueue(deviceId);
    expect(await queue.getJobCounts('completed', 'failed', 'active', 'delayed', 'wait', 'prioritized')).toEqual({
      completed: 0,
      failed: 0,
      active: 0,
      delayed: 0,
      wait: 0,
      prioritized: 0,
    });
    expect((await bench().keys(`:${deviceId}}:lane:msg_*`)).length).toBe(0);
    // BullMQ trims the stream now and then, not to the entry.
    expect(await bench().redis.xlen(`{${bench().prefix}:${deviceId}}:lane:events`)).toBeLessThan(150);
  });

  test('finishes its running turn before it is closed', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    await bench().offer(connection, bench().jobs(deviceId, 2));
    const slow = gate();
    const events: string[] = [];
    const lane = bench().lane(connection, deviceId, {
      take: async () => {
        events.push('begun');
        await slow.opened;
        events.push('over');
        return 'done';
      },
    });
    await waitUntil(() => events.length === 1, { what: 'a turn runs' });
    const closed = lane.close().then(() => void events.push('closed'));
    slow.open();
    await closed;
    expect(events).toEqual(['begun', 'over', 'closed']);
    expect(await readLaneCounts(connection, deviceId)).toEqual([0, 1, 0]);
  });

  test('goes on when Redis is wiped under its running turn', async () => {
    const connection = await bench().connect();
    const deviceId = newId('dev');
    await bench().offer(connection, bench().jobs(deviceId, 5));
    const first = gate();
    const taken: string[] = [];
    bench().lane(connection, deviceId, {
      take: async (job): Promise<Turn> => {
        taken.push(job.messageId);
        if (taken.length > 1) return 'done';
        await first.opened;
        return 'again';
      },
    });
    await waitUntil(() => taken.length === 1, { what: 'a turn runs' });
    await bench().wipe();
    first.open();
    const later = bench().jobs(deviceId, 3);
    await bench().offer(connection, later);
    await waitUntil(() => taken.length === 4, { what: 'what came after the wipe was taken' });
    expect(taken.slice(1)).toEqual(later.map((job) => job.messageId));
  });

  test('of one device is not consumed by the lane of another', async () => {
    const connection = await bench().connect();
    const [mine, yours] = [newId('dev'), newId('dev')];
    await bench().offer(connection, [...bench().jobs(mine, 3), ...bench().jobs(yours, 2)]);
    let taken = 0;
    bench().lane(connection, mine, {
      take: async () => {
        taken++;
        return 'done';
      },
    });
    await waitUntil(() => taken === 3, { what: 'its own were taken' });
    expect(await readLaneCounts(connection, yours)).toEqual([0, 2, 0]);
  });
});
