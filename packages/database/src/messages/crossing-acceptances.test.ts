/** Acceptances that meet other statements on the same quota or request keys, on two connections. */
import type { MessageId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { useCrossing, type Work } from '../../test/crossing-fixture.js';
import {
  again,
  bulkOf,
  copies,
  messageOf,
  present,
  type Tenant,
  type TestInput,
  useDatabaseFixture,
} from '../../test/database-fixture.js';
import { acceptTogether } from './accept-messages.js';
import { cancelMessage } from './cancel-messages.js';

const fixture = useDatabaseFixture();
const cross = useCrossing(fixture);

async function accept(tenant: Tenant, ...inputs: TestInput[]): Promise<MessageId[]> {
  return (await fixture().accept(tenant, inputs)).map(({ messageId }) => messageId);
}

const cancel =
  ({ accountId }: Tenant, id: MessageId): Work<string> =>
  (database) =>
    cancelMessage(database, accountId, id);

describe('accepting', () => {
  test('the same bulk twice at once stores it once, with the same outcomes', async () => {
    const tenant = await fixture().tenant();
    const bulk = bulkOf(tenant, copies(3));
    const accepting: Work<unknown> = (database) =>
      acceptTogether(
        database,
        fixture().accountKeys,
        bulk.map((message) => again(message)),
      );
    const crossed = await cross(accepting, accepting);
    expect(crossed.waited).toBe(true);
    const ids = (outcomes: unknown) => (outcomes as { messageId: string }[]).map(({ messageId }) => messageId);
    expect(ids(crossed.second)).toEqual(ids(crossed.first));
    expect(await fixture().taken(tenant.accountId)).toEqual([3]);
  });

  test('is refused when another request is taking the last of the quota', async () => {
    const tenant = await fixture().tenant({ quota: 1 });
    const accepting: Work<unknown> = (database) => acceptTogether(database, fixture().accountKeys, [messageOf(tenant)]);
    const crossed = await cross(accepting, accepting);
    expect(crossed).toMatchObject({ first: [{ kind: 'accepted' }], second: [{ kind: 'refused' }], waited: true });
    expect(await fixture().taken(tenant.accountId)).toEqual([1]);
  });

  test('and a refund at the same time both count', async () => {
    for (const isFirst of [true, false]) {
      const tenant = await fixture().tenant();
      const [id] = await accept(tenant, {});
      const accepting: Work<unknown> = (database) =>
        acceptTogether(database, fixture().accountKeys, bulkOf(tenant, copies(3)));
      const cancelling: Work<unknown> = cancel(tenant, present(id));
      const { waited } = await (isFirst ? cross(accepting, cancelling) : cross(cancelling, accepting));
      expect(waited).toBe(true);
      expect(await fixture().taken(tenant.accountId)).toEqual([3]);
    }
  });
});
