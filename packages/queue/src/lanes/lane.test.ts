import { newId } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import { describe, expect, test } from 'vitest';
import type { TurnEnd } from './lane.js';
import { readTicketCounts } from './lane-tickets.js';
import { gate, useQueueFixture } from '../../test/queue-fixture.js';
import { encodeTicket, type Ticket } from './ticket.js';

const fixture = useQueueFixture();

const empty = async (connection: Parameters<typeof readTicketCounts>[0], deviceId: Ticket['deviceId']) =>
  (await readTicketCounts(connection, deviceId)).every((count) => count === 0);

describe('the order of a lane', () => {
  test('puts the ticket of a one-time code before the others, after the running turn', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const running = fixture().ticket(deviceId, 2);
    await fixture().offer(connection, running);
    const first = gate();
    const taken: string[] = [];
    fixture().lane(connection, deviceId, {
      take: async (ticket) => {
        taken.push(ticket.messageId);
        if (taken.length === 1) await first.opened;
        return 'done';
      },
    });
    await waitUntil(() => taken.length === 1, { what: 'the first turn runs' });
    const [bulk, normal, otp] = [2, 1, 0].map((priority) => fixture().ticket(deviceId, priority));
    for (const ticket of [bulk, normal, otp]) if (ticket !== undefined) await fixture().offer(connection, ticket);
    first.open();
    await waitUntil(() => taken.length === 4, { what: 'all were taken' });
    expect(taken).toEqual([running, otp, normal, bulk].map((ticket) => ticket?.messageId));
  });

  test('says for how long it has had no turn, and 0 while a turn runs', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const turn = gate();
    let begun = false;
    const lane = fixture().lane(connection, deviceId, {
      take: async () => {
        begun = true;
        await turn.opened;
        return 'done';
      },
    });
    await waitUntil(() => lane.idleMs() > 50, { what: 'it has had no turn for a while' });
    await fixture().offer(connection, fixture().ticket(deviceId));
    await waitUntil(() => begun, { what: 'the turn has begun' });
    expect(lane.idleMs()).toBe(0);
    const openedAt = performance.now();
    turn.open();
    await waitUntil(() => lane.idleMs() > 0, { what: 'the turn is over' });
    expect(lane.idleMs()).toBeLessThan(performance.now() - openedAt);
  });

  test('takes one turn at a time', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    let running = 0;
    let most = 0;
    let taken = 0;
    fixture().lane(connection, deviceId, {
      take: async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return ++taken < 30 ? 'again' : 'done';
      },
    });
    await fixture().offer(connection, ...[0, 1, 2].map((priority) => fixture().ticket(deviceId, priority)));
    await waitUntil(() => taken === 32, { what: 'all were taken' });
    expect(most).toBe(1);
  });

  test('keeps the place of an unfinished ticket, after one-time codes only', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const [normal, bulk, otp] = [1, 2, 0].map((priority) => fixture().ticket(deviceId, priority));
    if (normal === undefined || bulk === undefined || otp === undefined) throw new Error('no tickets');
    await fixture().offer(connection, normal, bulk);
    const taken: string[] = [];
    fixture().lane(connection, deviceId, {
      take: async (ticket): Promise<TurnEnd> => {
        taken.push(ticket.messageId);
        if (taken.length === 1) await fixture().offer(connection, otp);
        return ticket.messageId === normal.messageId && taken.length < 4 ? 'again' : 'done';
      },
    });
    // Also while its last ticket is being taken, nothing waits in the lane.
    await waitUntil(() => taken.length >= 5, { what: 'all turns were taken' });
    await waitUntil(() => empty(connection, deviceId), { what: 'the lane is empty' });
    expect(taken).toEqual([normal, otp, normal, normal, bulk].map((ticket) => ticket.messageId));
  });

  test('keeps the place of a ticket that cannot be worked on now, for the next lane', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const tickets = [0, 1, 2].map((priority) => fixture().ticket(deviceId, priority));
    await fixture().offer(connection, ...tickets);
    const refused: string[] = [];
    const first = fixture().lane(connection, deviceId, {
      take: async (ticket) => {
        refused.push(ticket.messageId);
        void first.close();
        return 'not-now';
      },
    });
    await waitUntil(() => refused.length > 0, { what: 'the first lane refused' });
    await first.close();
    const taken: string[] = [];
    fixture().lane(connection, deviceId, {
      take: async (ticket) => {
        taken.push(ticket.messageId);
        return 'done';
      },
    });
    await waitUntil(() => taken.length === 3, { what: 'the second lane took all' });
    expect(taken).toEqual(tickets.map((ticket) => ticket.messageId));
    expect(refused).toEqual([tickets[0]?.messageId]);
  });

  test('passes a returned ticket at once to a lane that waits', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    await fixture().offer(connection, fixture().ticket(deviceId));
    const turn = gate();
    let isTaken = false;
    const first = fixture().lane(connection, deviceId, {
      take: async () => {
        isTaken = true;
        await turn.opened;
        return 'again';
      },
    });
    await waitUntil(() => isTaken, { what: 'the first lane has the turn' });
    const closed = first.close();
    let taken = 0;
    fixture().lane(connection, deviceId, {
      take: async () => {
        taken++;
        return 'done';
      },
    });
    const hasMarker = async () => (await fixture().keys(`*${deviceId}*:marker`)).length > 0;
    await waitUntil(async () => !(await hasMarker()), {
      what: 'the second lane found nothing, and waits for a marker',
    });
    turn.open();
    await closed;
    // Without a marker BullMQ finds the ticket only after its blocking read, which is longer than this timeout.
    await waitUntil(() => taken === 1, { what: 'the second lane has the turn', timeoutMs: 2_500 });
  });
});

describe('a ticket that is not ours', () => {
  test.each<[string, (ticket: Ticket) => unknown]>([
    ['with a changed field', (ticket) => ({ ...encodeTicket(ticket, fixture().internalKeys), p: 0 })],
    ['without a signature', (ticket) => ({ m: ticket.messageId, d: ticket.deviceId })],
    ['of another device', (ticket) => encodeTicket({ ...ticket, deviceId: newId('dev') }, fixture().internalKeys)],
    ['with any other content', () => ({ text: 'canary' })],
  ])('%s is dropped and reported, and the lane continues', async (_what, forge) => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    const queue = connection.laneQueue(deviceId);
    await queue.add('turn', forge(fixture().ticket(deviceId)), { jobId: 'forged', priority: 1 });
    const good = fixture().ticket(deviceId, 2);
    await fixture().offer(connection, good);
    const taken: string[] = [];
    let foreign = 0;
    fixture().lane(connection, deviceId, {
      take: async (ticket) => {
        taken.push(ticket.messageId);
        return 'done';
      },
      onForeignTicket: () => void foreign++,
    });
    await waitUntil(() => taken.length > 0, { what: 'the good one was taken' });
    expect(taken).toEqual([good.messageId]);
    expect(foreign).toBe(1);
    expect(await queue.getJob('forged')).toBeUndefined();
  });
});

describe('a lane', () => {
  test('leaves nothing of a finished ticket in Redis', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    let taken = 0;
    fixture().lane(connection, deviceId, {
      take: async () => {
        taken++;
        return 'done';
      },
    });
    for (let i = 1; i <= 50; i++) {
      await fixture().offer(connection, fixture().ticket(deviceId));
      await waitUntil(() => taken === i, { what: `${i} had their turn` });
    }
    const queue = connection.laneQueue(deviceId);
    await waitUntil(async () => (await queue.getJobCountByTypes()) === 0, { what: 'nothing is left' });
    expect((await fixture().keys(`:${deviceId}}:lane:msg_*`)).length).toBe(0);
    // BullMQ trims the stream now and then, and not to the exact length.
    expect(await fixture().redis.xlen(`{${fixture().prefix}:${deviceId}}:lane:events`)).toBeLessThan(150);
  });

  test('finishes its running turn before it is closed', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    await fixture().offer(connection, fixture().ticket(deviceId, 1), fixture().ticket(deviceId, 2));
    const slow = gate();
    const events: string[] = [];
    const lane = fixture().lane(connection, deviceId, {
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
    expect(await readTicketCounts(connection, deviceId)).toEqual([0, 0, 1]);
  });

  test('continues when Redis is wiped during its running turn', async () => {
    const connection = await fixture().connect();
    const deviceId = newId('dev');
    await fixture().offer(connection, ...[0, 1, 2].map((priority) => fixture().ticket(deviceId, priority)));
    const first = gate();
    const taken: string[] = [];
    fixture().lane(connection, deviceId, {
      take: async (ticket): Promise<TurnEnd> => {
        taken.push(ticket.messageId);
        if (taken.length > 1) return 'done';
        await first.opened;
        return 'again';
      },
    });
    await waitUntil(() => taken.length === 1, { what: 'a turn runs' });
    await fixture().wipe();
    first.open();
    const later = [0, 1, 2].map((priority) => fixture().ticket(deviceId, priority));
    await fixture().offer(connection, ...later);
    await waitUntil(() => taken.length === 4, { what: 'what came after the wipe was taken' });
    expect(taken.slice(1)).toEqual(later.map((ticket) => ticket.messageId));
  });

  test('of one device is not consumed by the lane of another', async () => {
    const connection = await fixture().connect();
    const [mine, yours] = [newId('dev'), newId('dev')];
    await fixture().offer(connection, fixture().ticket(mine), fixture().ticket(yours, 0), fixture().ticket(yours, 1));
    let taken = 0;
    fixture().lane(connection, mine, {
      take: async () => {
        taken++;
        return 'done';
      },
    });
    await waitUntil(() => taken === 1, { what: 'its own was taken' });
    expect(await readTicketCounts(connection, yours)).toEqual([1, 1, 0]);
  });
});
