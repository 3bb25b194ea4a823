import type { MessageId, SendInput } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { claimAgain, createClaimer, readUnsettled } from './claim-message.js';
import { giveUp } from './report-outcome.js';
import { present, type Tenant, useBench } from './testing/bench.js';
import { moveMessages } from './write-status.js';

const bench = useBench();

describe('what stands unanswered', () => {
  /** A message that was claimed, and of which nothing was heard since. */
  async function unanswered(tenant: Tenant, input: Partial<SendInput> = {}) {
    const [accepted] = await bench().accept(tenant, [input]);
    const id = present(accepted?.messageId);
    const claimer = createClaimer(bench().database);
    const asked = { ...tenant.holder, priority: input.priority === 'otp' ? 0 : 1, upToSeq: accepted?.seq ?? null };
    expect(await claimer.submit({ ...asked, most: 1, except: [] })).toMatchObject({ messages: [{ id }] });
    return { id, epoch: tenant.holder.epoch };
  }

  async function set(id: MessageId, change: string): Promise<void> {
    await bench().query(`UPDATE messages SET ${change} WHERE id = $1`, [id]);
  }

  test('is found by the next owner, oldest first, and sent again under its old id', async () => {
    const tenant = await bench().tenant();
    const first = await unanswered(tenant);
    await set(first.id, `status = 'sent'`);
    const left = [first, await unanswered(tenant)];
    await set(first.id, `status = 'sending'`);
    const next = await bench().handOver(tenant.holder);
    const { database } = bench();
    expect(await readUnsettled(database, tenant.deviceId)).toMatchObject(left);
    const [row] = await bench().query<{ id: string }>('SELECT network_message_id AS id FROM messages WHERE id = $1', [
      left[0]?.id,
    ]);
    expect(await claimAgain(database, next, present(left[0]))).toMatchObject({
      id: left[0]?.id,
      networkMessageId: row?.id,
      attempts: 2,
    });
    expect(await bench().state(present(left[0]?.id))).toMatchObject({
      status: 'sending',
      unanswered: 1,
      epoch: 2n,
    });
  });

  test('is taken again by one owner only, and not by one that lost the lease', async () => {
    const tenant = await bench().tenant();
    const left = await unanswered(tenant);
    const next = await bench().handOver(tenant.holder);
    const { database } = bench();
    expect(await claimAgain(database, tenant.holder, left)).toBeNull();
    expect(await giveUp(database, tenant.holder, left)).toBe(false);
    const tries = await Promise.all(Array.from({ length: 4 }, () => claimAgain(database, next, left)));
    expect(tries.filter((message) => message !== null)).toHaveLength(1);
    expect(await bench().state(left.id)).toMatchObject({ status: 'sending', attempts: 2, unanswered: 1 });
  });

  test('is unknown after three tries without an answer, not before', async () => {
    const tenant = await bench().tenant();
    const { database } = bench();
    const left = await unanswered(tenant);
    for (const attempts of [2, 3]) {
      expect(await giveUp(database, tenant.holder, left)).toBe(false);
      expect(await claimAgain(database, tenant.holder, left)).toMatchObject({ attempts });
    }
    expect(await claimAgain(database, tenant.holder, left)).toBeNull();
    expect(await giveUp(database, tenant.holder, left)).toBe(true);
    expect(await bench().state(left.id)).toMatchObject({
      status: 'unknown',
      reason: 'no_answer',
      unanswered: 3,
      attempts: 3,
    });
    expect(await bench().taken(tenant.accountId)).toEqual([1]);
  });

  test('counts its three tries over all owners', async () => {
    const tenant = await bench().tenant();
    const { database } = bench();
    let left = await unanswered(tenant);
    let holder = tenant.holder;
    for (let crash = 0; crash < 2; crash++) {
      holder = await bench().handOver(holder);
      expect(await claimAgain(database, holder, left)).not.toBeNull();
      left = { id: left.id, epoch: holder.epoch };
    }
    holder = await bench().handOver(holder);
    expect(await claimAgain(database, holder, left)).toBeNull();
    expect(await giveUp(database, holder, left)).toBe(true);
  });

  test('past its expiry is unknown, never expired, and not tried again', async () => {
    const tenant = await bench().tenant();
    const { database } = bench();
    const left = await unanswered(tenant, { priority: 'otp' });
    await set(left.id, 'expires_at = now() - make_interval(secs => 1)');
    expect(await claimAgain(database, tenant.holder, left)).toBeNull();
    expect(await giveUp(database, tenant.holder, left)).toBe(true);
    expect(await bench().state(left.id)).toMatchObject({ status: 'unknown', reason: 'no_answer' });
    expect(await bench().events(left.id)).toEqual(['sending', 'unknown']);
  });

  test('that was answered meanwhile is neither tried again nor given up', async () => {
    const tenant = await bench().tenant();
    const { database } = bench();
    const left = await unanswered(tenant);
    await moveMessages(database.pool, [{ id: left.id, to: 'sent' }]);
    expect(await claimAgain(database, tenant.holder, left)).toBeNull();
    expect(await giveUp(database, tenant.holder, left)).toBe(false);
    expect(await bench().state(left.id)).toMatchObject({ status: 'sent' });
  });
});
