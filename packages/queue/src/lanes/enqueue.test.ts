import { newId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import type { QueueConnection } from '../redis/connect.js';
import { createEnqueuer } from './enqueue.js';
import { fillLanes } from './fill-lanes.js';
import { readTicketCounts } from './lane-tickets.js';
import { useQueueFixture } from '../../test/queue-fixture.js';
import type { Ticket } from './ticket.js';

const fixture = useQueueFixture();

describe('enqueueing', () => {
  test('adds one ticket for each lane and priority of messages that are accepted together', async () => {
    const connection = await fixture().connect();
    const [first, second] = [newId('dev'), newId('dev')];
    const tickets = [0, 1, 2, 1, 0].flatMap((priority) => [
      ...Array.from({ length: 30 }, () => fixture().ticket(first, priority)),
      fixture().ticket(second, priority),
    ]);
    await fixture().offer(connection, ...tickets);
    for (const deviceId of [first, second]) expect(await readTicketCounts(connection, deviceId)).toEqual([1, 1, 1]);
  });

  test('adds no ticket if one of its priority waits', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    for (let time = 0; time < 5; time++) await fixture().offer(connection, fixture().ticket(deviceId, 2));
    await fixture().offer(connection, fixture().ticket(deviceId, 0));
    expect(await readTicketCounts(connection, deviceId)).toEqual([1, 0, 1]);
  });

  test('adds a ticket for a message that comes during the turn of the ticket before', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const [first, second] = [fixture().ticket(deviceId), fixture().ticket(deviceId)];
    await fixture().offer(connection, first);
    const taken: string[] = [];
    fixture().lane(connection, deviceId, {
      take: async (ticket) => {
        taken.push(ticket.messageId);
        if (taken.length === 1) await fixture().offer(connection, second);
        return 'done';
      },
    });
    await waitUntil(() => taken.length === 2, { what: 'both had a turn' });
    expect(taken).toEqual([first.messageId, second.messageId]);
  });

  test('does not wait for a lane whose count is slow', async () => {
    const connection = await fixture().connect();
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
    enqueuer.offer([fixture().ticket(broadcaster, 2)]);
    await new Promise((resolve) => setImmediate(resolve));
    enqueuer.offer([fixture().ticket(sender, 0)]);
    await waitUntil(async () => (await readTicketCounts(connection, sender))[0] === 1, {
      what: 'the otp has its ticket',
    });
    answer({});
    await enqueuer.close();
    expect(await connection.laneQueue(broadcaster).getJobCountByTypes()).toBe(1);
  });

  test('never throws while Redis is away, reports the dropped tickets, and continues when Redis is back', async () => {
    const { connection, proxy } = await fixture().connectThroughProxy();
    const deviceId = newId('dev');
    const dropped: number[] = [];
    const enqueuer = createEnqueuer(connection, { onDropped: (count) => void dropped.push(count) });
    await proxy.cut();
    await waitUntil(() => connection.commands.status !== 'ready', { what: 'the connection is gone' });
    enqueuer.offer([0, 1, 2].map((priority) => fixture().ticket(deviceId, priority)));
    await enqueuer.close();
    expect(dropped).toEqual([3]);
    await proxy.restore();
    await waitUntil(() => connection.commands.status === 'ready', { what: 'the connection is back' });
    enqueuer.offer([fixture().ticket(deviceId)]);
    await enqueuer.close();
    expect(dropped).toEqual([3]);
    expect(await readTicketCounts(connection, deviceId)).toEqual([0, 1, 0]);
  });

  test('reports every ticket that was in flight when the connection broke', async () => {
    const { connection, proxy } = await fixture().connectThroughProxy();
    const lost: number[] = [];
    const enqueuer = createEnqueuer(connection, { onDropped: (count) => void lost.push(count) });
    proxy.freeze();
    for (let i = 0; i < 5; i++) enqueuer.offer([fixture().ticket(newId('dev')), fixture().ticket(newId('dev'))]);
    await new Promise(setImmediate);
    await proxy.cut();
    await enqueuer.close();
    expect(lost.reduce((sum, count) => sum + count, 0)).toBe(10);
  });
});

describe('filling lanes from the database', () => {
  const fill = (connection: QueueConnection, ...due: readonly Ticket[]) =>
    fillLanes(connection, due, (_deviceId, error) => {
      throw error;
    });

  test('adds one ticket for each due priority of a lane, and none a second time', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const due = [fixture().ticket(deviceId, 0), fixture().ticket(deviceId, 2)];
    expect(await fill(connection, ...due)).toBe(2);
    expect(await fill(connection, ...due)).toBe(0);
    expect(await readTicketCounts(connection, deviceId)).toEqual([1, 0, 1]);
    const [bulk] = (await connection.laneQueue(deviceId).getJobs()).filter((job) => job.priority === 3);
    await bulk?.remove();
    expect(await fill(connection, ...due)).toBe(1);
  });

  test('restores a ticket and the limit of events after Redis was wiped', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const ticket = fixture().ticket(deviceId);
    await fixture().offer(connection, ticket);
    await fixture().wipe();
    expect(await readTicketCounts(connection, deviceId)).toEqual([0, 0, 0]);
    await fill(connection, ticket);
    expect(await readTicketCounts(connection, deviceId)).toEqual([0, 1, 0]);
    expect(await fixture().redis.hget(`{${fixture().prefix}:${deviceId}}:lane:meta`, 'opts.maxLenEvents')).toBe('10');
  });

  test('restores a ticket of which Redis has lost all but the job itself', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const ticket = fixture().ticket(deviceId);
    await fixture().offer(connection, ticket);
    await fixture().redis.del(`{${fixture().prefix}:${deviceId}}:lane:prioritized`);
    expect(await fill(connection, ticket)).toBe(1);
    expect(await readTicketCounts(connection, deviceId)).toEqual([0, 1, 0]);
  });

  test('rejects when Redis is away, so that the sweep tries again', async () => {
    const { connection, proxy } = await fixture().connectThroughProxy();
    await proxy.cut();
    await expect(fill(connection, fixture().ticket(newId('dev')))).rejects.toThrow();
  });

  test('a lane that cannot be filled does not keep another lane from its ticket', async () => {
    const connection = await fixture().connect();
    const [bad, good] = [newId('dev'), newId('dev')];
    const failing: QueueConnection = {
      ...connection,
      laneQueue(deviceId) {
        if (deviceId === bad) throw new Error('not now');
        return connection.laneQueue(deviceId);
      },
    };
    const failed: string[] = [];
    const due = [bad, good].map((deviceId) => fixture().ticket(deviceId));
    expect(await fillLanes(failing, due, (deviceId) => void failed.push(deviceId))).toBe(1);
    expect(failed).toEqual([bad]);
    expect(await readTicketCounts(connection, good)).toEqual([0, 1, 0]);
  });

  test('a lane that was first read while Redis was silent is filled when Redis answers', async () => {
    const { connection, proxy } = await fixture().connectThroughProxy();
    const ticket = fixture().ticket(newId('dev'));
    proxy.freeze();
    await expect(fill(connection, ticket)).rejects.toThrow('timed out');
    proxy.thaw();
    expect(await fill(connection, ticket)).toBe(1);
  });
});
