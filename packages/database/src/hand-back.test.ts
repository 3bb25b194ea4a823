import { expect, test } from 'vitest';
import { type ClaimedMessage, claimAgain, createClaimer, readUnsettled } from './claim-message.js';
import { createOutcomeWriter } from './report-outcome.js';
import { present, type Tenant, useBench } from './testing/bench.js';

const bench = useBench();

/** Claims what is due of the tenant's lane. */
async function claim(tenant: Tenant): Promise<readonly ClaimedMessage[]> {
  const claimer = createClaimer(bench().database);
  const claimed = await claimer.submit({ ...tenant.holder, priority: 1, upToSeq: null, most: 9, except: [] });
  if (claimed.kind !== 'claimed') throw new Error(`a claim found ${claimed.kind}`);
  return claimed.messages;
}

test('what was claimed and not tried, and is handed back, waits as if it had not been claimed; only its owner may say so', async () => {
  const tenant = await bench().tenant();
  await bench().accept(tenant, [{}]);
  const claimed = await claim(tenant);
  const id = present(claimed[0]?.id);
  const writer = createOutcomeWriter(bench().database);
  await writer.handBack(9n, claimed);
  expect(await bench().state(id)).toMatchObject({ status: 'sending' });
  await writer.handBack(tenant.holder.epoch, claimed);
  expect(await bench().state(id)).toMatchObject({ status: 'queued', reason: null, attempts: 0, unanswered: 0 });
  expect(await bench().events(id)).toEqual(['sending', 'queued']);
  expect(await claim(tenant)).toMatchObject([{ id, attempts: 1 }]);
});

test('a hand back that is carried out late undoes no later claim, whose acknowledgement counts', async () => {
  const tenant = await bench().tenant();
  await bench().accept(tenant, [{}]);
  const late = await claim(tenant);
  const writer = createOutcomeWriter(bench().database);
  await writer.handBack(tenant.holder.epoch, late);
  const [again] = await claim(tenant);
  await writer.handBack(tenant.holder.epoch, late);
  expect(await bench().state(present(again?.id))).toMatchObject({ status: 'sending', attempts: 1 });
  expect(await writer.answered(present(again), tenant.holder.epoch, { kind: 'sent' })).toBe(true);
});

test('a hand back counts for what was found or claimed again as well', async () => {
  const tenant = await bench().tenant();
  await bench().accept(tenant, [{}]);
  await claim(tenant);
  const writer = createOutcomeWriter(bench().database);
  const [found] = await readUnsettled(bench().database, tenant.deviceId);
  const again = await claimAgain(bench().database, tenant.holder, present(found));
  if (again === null) throw new Error('it had one try of three');
  await writer.handBack(tenant.holder.epoch, [present(found)]);
  expect(await bench().state(present(found?.id))).toMatchObject({ status: 'sending', attempts: 2 });
  await writer.handBack(tenant.holder.epoch, [again]);
  expect(await bench().state(present(found?.id))).toMatchObject({ status: 'queued', attempts: 1, unanswered: 1 });
  const [claimed] = await claim(tenant);
  expect(await readUnsettled(bench().database, tenant.deviceId)).toMatchObject([{ version: claimed?.version }]);
});
