import { expect, test } from 'vitest';
import { sealer, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { findEverywhere } from '../../test/find-everywhere.js';
import { inboundOn, personOf, textFrom } from '../../test/inbound-fixture.js';
import { countNumber, eraseNumber } from './erase-number.js';

const fixture = useDatabaseFixture();
const { store, rows } = inboundOn(fixture);
const chat = { id: 'group:1', type: 'group' as const };

let number = 6_287_700_000_000;
const nextNumber = () => String((number += 1));
const which = (phone: string) => ({ number: phone, accountId: null });
const keptIn = async ({ deviceId }: Tenant) => (await rows(deviceId)).filter(({ sealed }) => sealed !== null).length;

async function erase(phone: string) {
  const counted = await countNumber(fixture().database, sealer, which(phone));
  const erased = await eraseNumber(fixture().database, sealer, which(phone));
  expect(erased.inbound).toBe(counted.inbound);
  expect(await findEverywhere(fixture(), phone)).toEqual([]);
  return erased.inbound;
}

test('what somebody wrote from a number that moved later goes with it', async () => {
  const tenant = await fixture().tenant();
  const phone = nextNumber();
  await store(tenant.deviceId, textFrom(personOf('lid:1', phone), 'a'), textFrom(personOf('lid:2', phone), 'b'));
  expect(await erase(phone)).toBe(2);
});

test('what a person wrote in groups while the number was hidden goes too, without a direct chat', async () => {
  const tenant = await fixture().tenant();
  const phone = nextNumber();
  const [hidden, known, other] = [personOf('lid:31', null), personOf('lid:31', phone), personOf('lid:32', null)];
  for (const person of [hidden, known, other]) await store(tenant.deviceId, textFrom(person, 'a', { chat }));
  expect(await erase(phone)).toBe(2);
  expect(await keptIn(tenant)).toBe(1);
});

test('a message that comes while its chat is being erased goes too', async () => {
  const tenant = await fixture().tenant();
  const phone = nextNumber();
  const [person, hidden] = [personOf('lid:41', phone), personOf('lid:41', null)];
  await store(tenant.deviceId, textFrom(person, 'a'));
  const { database } = fixture();
  const watched = { ...database, pool: Object.create(database.pool) as typeof database.pool };
  watched.pool.query = (async (...args: [string, unknown[]]) => {
    if (JSON.stringify(args).includes('UPDATE conversations SET phone = NULL'))
      await store(tenant.deviceId, textFrom(hidden, 'b'));
    return database.pool.query(...args);
  }) as typeof database.pool.query;
  expect((await eraseNumber(watched, sealer, which(phone))).inbound).toBe(2);
  expect(await keptIn(tenant)).toBe(0);
  await store(tenant.deviceId, textFrom(person, 'c'));
  expect(await keptIn(tenant)).toBe(1);
});

test('a chat with more messages than a batch is erased whole', async () => {
  const tenant = await fixture().tenant();
  const phone = nextNumber();
  const person = personOf('lid:51', phone);
  for (let i = 0; i < 11; i += 1)
    await store(tenant.deviceId, ...Array.from({ length: 50 }, () => textFrom(person, 'a')));
  await store(tenant.deviceId, ...Array.from({ length: 520 }, () => textFrom(person, 'a', { chat })));
  expect(await erase(phone)).toBe(1_070);
});
