/** Lists of all accounts, for operators. No request of a customer uses them. */
import type { AccountId, PlanId, RenewalId } from '@kurir/contracts';
import type { ChosenPlan } from '../accounts/accounts.js';
import type { LedgerKind } from '../money/renewals.js';
import type { Database } from '../postgres/connect.js';

export type AccountRow = {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: Date;
  /** Null: the account is not suspended. */
  readonly suspendedAt: Date | null;
};

/** All accounts, oldest first. With `name`, those with exactly that name. */
export async function listAccounts(database: Database, name?: string): Promise<AccountRow[]> {
  const rows = await database.prisma.account.findMany({
    where: { erasureBegunAt: null, ...(name === undefined ? {} : { name }) },
    select: { id: true, name: true, createdAt: true, suspendedAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  // Only newId('acc') makes ids of accounts.
  return rows.map((row) => ({ ...row, id: row.id as AccountId }));
}

export type PlanRow = ChosenPlan & { readonly active: boolean };

/** All plans, cheapest first. */
export async function listPlans(database: Database): Promise<PlanRow[]> {
  const rows = await database.prisma.plan.findMany({ orderBy: [{ priceRupiah: 'asc' }, { id: 'asc' }] });
  return rows.map(({ id, name, type, durationDays, priceRupiah, quota, maxDevices, active }) => ({
    // Only newId('pln') makes ids of plans.
    planId: id as PlanId,
    name,
    type,
    durationDays,
    priceRupiah,
    quota,
    maxDevices,
    active,
  }));
}

/** The account of the device, or null. */
export async function findDeviceAccount(database: Database, deviceId: string): Promise<AccountId | null> {
  const row = await database.prisma.device.findFirst({
    where: { id: deviceId, deletedAt: null },
    select: { accountId: true },
  });
  // Only newId('acc') makes ids of accounts.
  return row === null ? null : (row.accountId as AccountId);
}

/** The account of the key, or null. */
export async function findKeyAccount(database: Database, keyId: string): Promise<AccountId | null> {
  const row = await database.prisma.apiKey.findUnique({ where: { id: keyId }, select: { accountId: true } });
  // Only newId('acc') makes ids of accounts.
  return row === null ? null : (row.accountId as AccountId);
}

export type LedgerRow = {
  readonly at: Date;
  readonly accountId: AccountId;
  readonly renewalId: RenewalId;
  readonly kind: LedgerKind;
  /** With `unboughtOnly`: the part that has not been returned. */
  readonly amountRupiah: number;
  readonly provider: string;
  readonly providerPayment: string;
  /** A payment without a charge bought nothing, so a person should return it. */
  readonly bought: boolean;
  /** The whole payment was returned. */
  readonly returned: boolean;
};

export type LedgerFilter = { readonly accountId: AccountId | null; readonly unboughtOnly: boolean };

const ledgerAtOnce = 1_000;

/** The newest entries of one account or of all, newest first, up to a limit. */
export async function listLedger(database: Database, { accountId, unboughtOnly }: LedgerFilter): Promise<LedgerRow[]> {
  const { rows } = await database.lists.query<LedgerRow>(
    `SELECT at, "accountId", "renewalId", kind, amount - CASE WHEN $2 THEN back ELSE 0 END AS "amountRupiah",
            provider, "providerPayment", bought, amount <= back AS returned
     FROM (
       SELECT l.id, l.created_at AS at, l.account_id AS "accountId", l.renewal_id AS "renewalId", l.kind,
              l.amount_rupiah AS amount, l.provider, l.provider_payment AS "providerPayment",
              EXISTS (SELECT 1 FROM ledger_entries c WHERE c.provider = l.provider
                      AND c.provider_payment = l.provider_payment AND c.kind = 'charge') AS bought,
              (SELECT coalesce(-sum(r.amount_rupiah), 0)::int FROM ledger_entries r WHERE r.provider = l.provider
               AND r.provider_payment = l.provider_payment AND r.kind IN ('refund', 'chargeback')) AS back
       FROM ledger_entries l WHERE $1::text IS NULL OR l.account_id = $1) entries
     WHERE NOT ($2 AND (bought OR amount <= back OR kind <> 'payment')) ORDER BY at DESC, id DESC LIMIT ${ledgerAtOnce}`,
    [accountId, unboughtOnly],
  );
  return rows;
}
