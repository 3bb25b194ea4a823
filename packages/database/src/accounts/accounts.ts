/** Accounts, plans and the quota that an account has left. All of it is rare, so Prisma does most of it. */
import { type AccountId, newId, type PlanId } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { type Audit, audited, auditRow, auditWrites } from './audit.js';

/** `audit` is about the new account. */
export async function createAccount(
  database: Database,
  name: string,
  audit?: Omit<Audit, 'accountId'>,
): Promise<AccountId> {
  const id = newId('acc');
  const { prisma } = database;
  const noted = audit && { ...audit, accountId: id };
  await prisma.$transaction([prisma.account.create({ data: { id, name } }), ...auditWrites(database, noted, id)]);
  return id;
}

export type NewPlan = {
  readonly name: string;
  readonly durationDays: number;
  readonly priceRupiah: number;
  /** Null: unlimited. */
  readonly quota: number | null;
  /** The number of devices that an account may have. */
  readonly maxDevices?: number | undefined;
};

/** Makes a plan. If a plan of this name exists, returns that plan unchanged. */
export async function createPlan(database: Database, { maxDevices, ...plan }: NewPlan, audit?: Audit): Promise<PlanId> {
  const id = newId('pln');
  return database.prisma.$transaction(async (tx) => {
    const made = await tx.plan.upsert({
      where: { name: plan.name },
      update: {},
      create: { id, ...plan, ...(maxDevices === undefined ? {} : { maxDevices }) },
    });
    if (audit !== undefined && made.id === id) await tx.auditEntry.create({ data: auditRow(audit, id) });
    // Only newId('pln') makes ids of plans.
    return made.id as PlanId;
  });
}

export type PlanChange = {
  readonly durationDays?: number | undefined;
  readonly priceRupiah?: number | undefined;
  readonly quota?: number | null | undefined;
  readonly maxDevices?: number | undefined;
  readonly active?: boolean | undefined;
};

/** Changes the given fields for later renewals. Returns false if there is no such plan. */
export async function changePlan(
  database: Database,
  planId: string,
  change: PlanChange,
  audit?: Audit,
): Promise<boolean> {
  const { durationDays, priceRupiah, quota, maxDevices, active } = change;
  const data = {
    ...(durationDays === undefined ? {} : { durationDays }),
    ...(priceRupiah === undefined ? {} : { priceRupiah }),
    ...(quota === undefined ? {} : { quota }),
    ...(maxDevices === undefined ? {} : { maxDevices }),
    ...(active === undefined ? {} : { active }),
  };
  return database.prisma.$transaction(async (tx) => {
    const { count } = await tx.plan.updateMany({ where: { id: planId }, data });
    if (audit !== undefined && count === 1) await tx.auditEntry.create({ data: auditRow(audit, planId) });
    return count === 1;
  });
}

export async function choosePlan(
  database: Database,
  accountId: AccountId,
  planId: PlanId,
  audit?: Audit,
): Promise<void> {
  const { prisma } = database;
  const chosen = prisma.planChoice.create({ data: { id: newId('plc'), accountId, planId } });
  await prisma.$transaction([chosen, ...auditWrites(database, audit, planId)]);
}

export type ChosenPlan = {
  readonly planId: PlanId;
  readonly name: string;
  readonly type: string;
  readonly durationDays: number;
  readonly priceRupiah: number;
  readonly quota: number | null;
  readonly maxDevices: number;
};

function chosenPlan(plan: {
  id: string;
  name: string;
  type: string;
  durationDays: number;
  priceRupiah: number;
  quota: number | null;
  maxDevices: number;
}): ChosenPlan {
  const { id, name, type, durationDays, priceRupiah, quota, maxDevices } = plan;
  return { planId: id as PlanId, name, type, durationDays, priceRupiah, quota, maxDevices };
}

/** The name of the account. Null: it is gone. */
export async function readAccountName(database: Database, accountId: AccountId): Promise<string | null> {
  const row = await database.prisma.account.findUnique({ where: { id: accountId }, select: { name: true } });
  return row?.name ?? null;
}

/** The plan that the account chose last, at its present price, or null. */
export async function readChosenPlan(database: Database, accountId: AccountId): Promise<ChosenPlan | null> {
  const choice = await database.prisma.planChoice.findFirst({
    where: { accountId },
    orderBy: [{ chosenAt: 'desc' }, { id: 'desc' }],
    include: { plan: true },
  });
  return choice === null ? null : chosenPlan(choice.plan);
}

/** The cheapest plan that is on sale, or null. */
export async function readCheapestPlan(database: Database): Promise<ChosenPlan | null> {
  const plan = await database.prisma.plan.findFirst({
    where: { active: true },
    orderBy: [{ priceRupiah: 'asc' }, { id: 'asc' }],
  });
  return plan === null ? null : chosenPlan(plan);
}

/** Opens a period without a payment: for an operator, and for the demo account. */
export async function grantPeriod(
  database: Database,
  accountId: AccountId,
  plan: ChosenPlan,
  audit?: Audit,
): Promise<void> {
  await audited(database, audit, plan.planId, async (queryable) => {
    const { rowCount } = await queryable.query(
      `INSERT INTO subscription_periods (id, account_id, plan_name, plan_type, starts_at, ends_at, initial_quota, max_devices)
     VALUES (gen_random_uuid(), $1, $2, $3, now(), now() + make_interval(days => $4), $5, $6)`,
      [accountId, plan.name, plan.type, plan.durationDays, plan.quota, plan.maxDevices],
    );
    return rowCount === 1;
  });
}

export type AccountInfo = {
  readonly sessionId: string;
  readonly planName: string;
  readonly planType: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly daysLeft: number;
  /** The sum over all open periods, so that an early renewal loses no paid quota. Null: unlimited. */
  readonly initialQuota: number | null;
  readonly remainingQuota: number | null;
};

type InfoRow = {
  id: string;
  plan_name: string;
  plan_type: string;
  starts_at: Date;
  ends_at: Date;
  days_left: number;
  unlimited: boolean;
  initial_quota: number;
  remaining_quota: number;
};

/** The account's newest period that is open. If none is open, the period that ended last. Null if it never had one. */
export async function readAccountInfo(database: Database, accountId: AccountId): Promise<AccountInfo | null> {
  const { rows } = await database.pool.query<InfoRow>({
    name: 'read-account-info',
    text: `WITH newest AS (
             SELECT * FROM subscription_periods WHERE account_id = $1 AND starts_at <= now()
             ORDER BY ends_at > now() DESC, created_at DESC, ends_at DESC LIMIT 1),
           open AS (
             SELECT * FROM subscription_periods WHERE account_id = $1 AND starts_at <= now() AND ends_at > now()
             UNION SELECT * FROM newest)
           SELECT newest.id, newest.plan_name, newest.plan_type, newest.starts_at, o.ends_at, o.unlimited,
                  o.initial_quota, o.remaining_quota,
                  GREATEST(0, ceil(extract(epoch FROM o.ends_at - now()) / 86400))::int AS days_left
           FROM newest CROSS JOIN (
             SELECT max(ends_at) AS ends_at, bool_or(initial_quota IS NULL) AS unlimited,
                    coalesce(sum(initial_quota), 0)::float8 AS initial_quota,
                    coalesce(sum(initial_quota - taken_quota - reserved_quota), 0)::float8 AS remaining_quota FROM open) o`,
    values: [accountId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    sessionId: row.id,
    planName: row.plan_name,
    planType: row.plan_type,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    daysLeft: row.days_left,
    initialQuota: row.unlimited ? null : row.initial_quota,
    remainingQuota: row.unlimited ? null : row.remaining_quota,
  };
}
