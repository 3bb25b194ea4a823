import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { copies, present, type Tenant, type TestInput, useDatabaseFixture } from '../../test/database-fixture.js';
import { cancelMessage } from './cancel-messages.js';
import { networkMessageIdOf } from './network-message-id.js';
import { type MessageFilter, readMessage } from './read-messages.js';
import { listMessages } from './reading/list-messages.js';
import { moveMessages } from './write-status.js';

const fixture = useDatabaseFixture();

async function accept(tenant: Tenant, ...inputs: TestInput[]): Promise<MessageId[]> {
  return (await fixture().accept(tenant, inputs)).map((message) => message.messageId);
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
  listMessages(fixture().database, tenant.accountId, { ...everything, ...filter });
const read = (tenant: Tenant, id: MessageId | undefined) =>
  readMessage(fixture().database, tenant.accountId, present(id));

describe('a message', () => {
  test('of another account does not exist: it is not read, not listed, not cancelled', async () => {
    const [owner, stranger] = [await fixture().tenant(), await fixture().tenant()];
    const [id] = await accept(owner, {});
    expect(await read(stranger, id)).toBeNull();
    expect(await list(stranger)).toEqual({ messages: [], nextCursor: null });
    expect(await list(stranger, { deviceId: owner.deviceId })).toEqual({ messages: [], nextCursor: null });
    expect(await cancelMessage(fixture().database, stranger.accountId, present(id))).toBe('not-found');
    expect(await fixture().state(present(id))).toMatchObject({ status: 'queued' });
  });

  test('shows its network id after its first try, and its moves in order', async () => {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, {});
    expect((await read(tenant, id))?.message).toMatchObject({ networkMessageId: null, status: 'queued' });
    await fixture().query(`UPDATE messages SET status = 'sending', attempts = 1 WHERE id = $1`, [id]);
    await moveMessages(fixture().database.pool, [{ id: present(id), to: 'sent' }]);
    const found = await read(tenant, id);
    expect(found?.message.networkMessageId).toBe(networkMessageIdOf('simulator', present(id)));
    expect(found?.timeline.map(({ status }) => status)).toEqual(['queued', 'sent']);
  });

  test('with a future send_at is scheduled until then, then queued, and nothing is written', async () => {
    const tenant = await fixture().tenant();
    const [id] = await accept(tenant, { sendAt: new Date(Date.now() + 3_600_000) });
    expect((await read(tenant, id))?.message.status).toBe('scheduled');
    expect((await list(tenant, { status: 'scheduled' })).messages).toHaveLength(1);
    expect((await list(tenant, { status: 'queued' })).messages).toEqual([]);
    await fixture().query('UPDATE messages SET send_at = now() - make_interval(secs => 1) WHERE id = $1', [id]);
    expect((await read(tenant, id))?.message.status).toBe('queued');
  });
});

describe('a list', () => {
  test('is newest first and goes on from its cursor without gap or repeat', async () => {
    const tenant = await fixture().tenant();
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
    const tenant = await fixture().tenant();
    await accept(tenant, {}, {});
    expect((await list(tenant, { limit: 2 })).nextCursor).toBeNull();
  });

  test('follows its filters', async () => {
    const tenant = await fixture().tenant();
    const [a, b, c] = await accept(tenant, { clientRef: 'x' }, { recipient: '6281234567891' }, {});
    await moveMessages(fixture().database.pool, [{ id: present(c), to: 'cancelled' }]);
    const idsOf = async (filter: Partial<MessageFilter>) => (await list(tenant, filter)).messages.map(({ id }) => id);
    expect(await idsOf({ clientRef: 'x' })).toEqual([a]);
    expect(await idsOf({ recipient: '6281234567891' })).toEqual([b]);
    expect(await idsOf({ status: 'cancelled' })).toEqual([c]);
    expect(await idsOf({ deviceId: tenant.deviceId, status: 'queued' })).toEqual([b, a]);
  });
});

describe('a cancellation', () => {
  test('ends waiting messages, scheduled or not, and refunds them', async () => {
    const tenant = await fixture().tenant();
    const ids = await accept(tenant, {}, { sendAt: new Date(Date.now() + 3_600_000) });
    for (const id of ids) expect(await cancelMessage(fixture().database, tenant.accountId, id)).toBe('cancelled');
    expect(await fixture().taken(tenant.accountId)).toEqual([0]);
    expect(await cancelMessage(fixture().database, tenant.accountId, present(ids[0]))).toBe('not-cancellable');
  });

  test.each(['sending', 'sent', 'delivered', 'read', 'failed', 'expired', 'unknown'])(
    'comes too late for %s',
    async (status) => {
      const tenant = await fixture().tenant();
      const [id] = await accept(tenant, {});
      await fixture().query('UPDATE messages SET status = $2, attempts = 1 WHERE id = $1', [id, status]);
      expect(await cancelMessage(fixture().database, tenant.accountId, present(id))).toBe('not-cancellable');
      expect(await fixture().state(present(id))).toMatchObject({ status });
    },
  );
});
