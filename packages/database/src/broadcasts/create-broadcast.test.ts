import { limits } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { broadcastsOn } from '../../test/broadcast-fixture.js';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { addRecipients } from './create-broadcast.js';

const fixture = useDatabaseFixture();
const { ready, many, rows } = broadcastsOn(fixture);

test('a list grows to its limit and no further', async () => {
  const tenant = await fixture().tenant();
  const id = await ready(tenant, []);
  const before = limits.broadcastMaxRecipients - 2;
  await fixture().query(`UPDATE broadcasts SET state = 'draft', recipients = $2 WHERE id = $1`, [id, before]);
  const { database, accountKeys } = fixture();
  const add = (count: number) =>
    addRecipients(database, accountKeys, { id, accountId: tenant.accountId }, before, many(count));
  expect(await add(3)).toEqual({ kind: 'too-many' });
  expect(await rows(id)).toEqual([]);
  expect(await add(2)).toEqual({ kind: 'added', recipients: limits.broadcastMaxRecipients });
  // A repeat is still harmless.
  expect(await add(2)).toEqual({ kind: 'added', recipients: limits.broadcastMaxRecipients });
});

test('rows are added to a draft of the account only', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  const id = await ready(tenant, []);
  const { database, accountKeys } = fixture();
  const add = ({ accountId }: typeof tenant) => addRecipients(database, accountKeys, { id, accountId }, 0, many(1));
  expect(await add(other)).toEqual({ kind: 'not-found' });
  expect(await add(tenant)).toEqual({ kind: 'wrong-state', state: 'ready' });
});
