import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { networkMessageIdOf } from './network-message-id.js';
import { cancelMessage, listMessages, type MessageFilter, readMessage } from './read-messages.js';
import { copies, present, type Tenant, useBench, type TestInput } from './testing/bench.js';
import { moveMessages } from './write-status.js';

const bench = useBench();

async function accept(tenant: Tenant, ...inputs: TestInput[]): Promise<MessageId[]> {
  return (await bench().accept(tenant, inputs)).map((message) => message.messageId);
}

const everything: MessageFilter = {
  status: null,
  deviceId: null,
  recipient: null,
  clientRef: null,
  limit: 100,
  cursor: null,
};

const list = (tenant: Tenant, filter: Partial<MessageFilter> = {}) =>
  listMessages(bench().database, tenant.accountId, { ...everything, ...filter });
const read = (tenant: Tenant, id: MessageId | undefined) =>
  readMessage(bench().database, tenant.accountId, present(id));

describe('a job', () => {
  test('of another account does not exist: it is not read, not listed, not cancelled', async () => {
    const [owner, stranger] = [await bench().tenant(), await bench().tenant()];
    const [id] = await accept(owner, {});
    expect(await read(stranger, id)).toBeNull();
    expect(await list(stranger)).toEqual({ messages: [], nextCursor: null });
    expect(await list(stranger, { deviceId: owner.deviceId })).toEqual({ messages: [], nextCursor: null });
    expect(await cancelMessage(bench().database, stranger.accountId, present(id))).toBe('not-found');
    expect(await bench().state(present(id))).toMatchObject({ status: 'queued' });
  });

  test('shows its network id once it was tried, and its moves in order', async () => {
    const tenant = await bench().tenant();
    const [id] = await accept(tenant, {});
    expect((await read(tenant, id))?.message).toMatchObject({ networkMessageId: null, status: 'queued' });
    await bench().query(`UPDATE messages SET status = 'sending', attempts = 1 WHERE id = $1`, [id]);
    await moveMessages(bench().database.pool, [{ id: present(id), to: 'sent' }]);
    const found = await read(tenant, id);
    expect(found?.message.networkMessageId).toBe(networkMessageIdOf('simulator', present(id)));
    expect(found?.timeline.map(({ status }) => status)).toEqual(['queued', 'sent']);
  });

  test('whose time lies ahead is scheduled until then, then queued; nothing is written for that', async () => {
    const tenant = await bench().tenant();
    const [id] = await accept(tenant, { sendAt: new Date(Date.now() + 3_600_000) });
    expect((await read(tenant, id))?.message.status).toBe('scheduled');
    expect((await list(tenant, { status: 'scheduled' })).messages).toHaveLength(1);
    expect((await list(tenant, { status: 'queued' })).messages).toEqual([]);
    await bench().query('UPDATE messages SET send_at = now() - make_interval(secs => 1) WHERE id = $1', [id]);
    expect((await read(tenant, id))?.message.status).toBe('queued');
  });
});

describe('a list', () => {
  test('is newest first and goes on from its cursor without gap or repeat', async () => {
    const tenant = await bench().tenant();
    const ids = await accept(tenant, ...copies(25));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(tenant, { limit: 10, cursor });
      seen.push(...page.messages.map((message) => message.id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids.toReversed());
  });

  test('has no next page when the last one is just full', async () => {
    const tenant = await bench().tenant();
    await accept(tenant, {}, {});
    expect((await list(tenant, { limit: 2 })).nextCursor).toBeNull();
  });

  test('keeps to its filters', async () => {
    const tenant = await bench().tenant();
    const [a, b, c] = await accept(tenant, { clientRef: 'x' }, { recipient: '6281234567891' }, {});
    await moveMessages(bench().database.pool, [{ id: present(c), to: 'cancelled' }]);
    const idsOf = async (filter: Partial<MessageFilter>) => (await list(tenant, filter)).messages.map(({ id }) => id);
    expect(await idsOf({ clientRef: 'x' })).toEqual([a]);
    expect(await idsOf({ recipient: '6281234567891' })).toEqual([b]);
    expect(await idsOf({ status: 'cancelled' })).toEqual([c]);
    expect(await idsOf({ deviceId: tenant.deviceId, status: 'queued' })).toEqual([b, a]);
  });
});

describe('a cancellation', () => {
  test('ends what waits, scheduled or not, and gives its quota back', async () => {
    const tenant = await bench().tenant();
    const ids = await accept(tenant, {}, { sendAt: new Date(Date.now() + 3_600_000) });
    for (const id of ids) expect(await cancelMessage(bench().database, tenant.accountId, id)).toBe('cancelled');
    expect(await bench().taken(tenant.accountId)).toEqual([0]);
    expect(await cancelMessage(bench().database, tenant.accountId, present(ids[0]))).toBe('not-cancellable');
  });

  test.each(['sending', 'sent', 'delivered', 'read', 'failed', 'expired', 'unknown'])(
    'comes too late for %s',
    async (status) => {
      const tenant = await bench().tenant();
      const [id] = await accept(tenant, {});
      await bench().query('UPDATE messages SET status = $2, attempts = 1 WHERE id = $1', [id, status]);
      expect(await cancelMessage(bench().database, tenant.accountId, present(id))).toBe('not-cancellable');
      expect(await bench().state(present(id))).toMatchObject({ status });
    },
  );
});
