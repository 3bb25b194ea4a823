/** The changes of suppressions that are in the audit log. None names the number. */
import { usualOptOut } from '@kurir/contracts';
import { type Audit } from '../src/accounts/audit.js';
import { writeOptOut } from '../src/suppressions/list-suppressions.js';
import { liftSuppression, suppress } from '../src/suppressions/suppress.js';
import type { World } from './audited-world-fixture.js';
import type { DatabaseFixture } from './database-fixture.js';

export const suppressionChanges = (fixture: () => DatabaseFixture, world: () => World) => {
  const add = (phone: string, audit: Audit | undefined) => {
    const { accountId } = world().tenant;
    const wish = { accountId, phones: [phone], scope: 'marketing', reason: 'manual', actor: null } as const;
    return suppress(fixture().database, fixture().accountKeys, wish, audit);
  };
  return {
    'suppression.added': { run: (audit: Audit) => add('6281200000001', audit), subject: () => null },
    'suppression.removed': {
      run: async (audit: Audit) => {
        const { accountId } = world().tenant;
        const wish = { accountId, phone: world().suppressed, scope: null };
        return liftSuppression(fixture().database, fixture().accountKeys, wish, audit);
      },
      subject: () => null,
    },
    'opt_out.changed': {
      run: (audit: Audit) =>
        writeOptOut(fixture().database, world().tenant.accountId, { ...usualOptOut('ID'), stopReply: null }, audit),
      subject: () => world().tenant.accountId,
    },
  };
};
