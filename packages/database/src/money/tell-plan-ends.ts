import { againAfterDeadlock, type Database } from '../postgres/connect.js';

/** The most accounts of one statement: their acceptances wait for it. */
const accountsAtOnce = 200;

/** The days before the end at which an event tells it. A short period, such as a trial, tells only the last one. */
const daysBefore = { first: 7, last: 1 } as const;
const daysOf = (period: string) => `CASE WHEN ${period}.ends_at <= now() + interval '${daysBefore.last} days'
  THEN ${daysBefore.last} ELSE ${daysBefore.first} END`;

/**
 * Writes `plan.expiring` for each account whose last paid period is about to end. Returns how many it wrote. A second run
 * writes nothing more.
 */
export async function tellPlanEnds(database: Database): Promise<number> {
  let told = 0;
  for (;;) {
    const some = await againAfterDeadlock(() => tellSome(database));
    told += some;
    if (some < accountsAtOnce) return told;
  }
}

async function tellSome({ pool }: Database): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'tell-plan-ends',
    text: `WITH due AS (
             SELECT p.id, ${daysOf('p')} AS days FROM subscription_periods p
             WHERE p.ends_at > now() AND p.ends_at <= now() + interval '${daysBefore.first} days'
               AND (p.told_days IS NULL OR p.told_days > ${daysOf('p')})
               AND (p.ends_at - p.starts_at > interval '${daysBefore.first + 1} days' OR ${daysOf('p')} = ${daysBefore.last})
               AND NOT EXISTS (SELECT FROM subscription_periods later
                 WHERE later.account_id = p.account_id AND later.ends_at > p.ends_at)
             ORDER BY p.account_id LIMIT ${accountsAtOnce} FOR UPDATE OF p SKIP LOCKED),
           told AS (
             UPDATE subscription_periods p SET told_days = due.days FROM due WHERE p.id = due.id
             RETURNING p.account_id, p.told_days, p.ends_at)
           SELECT append_event_of_account(account_id, 'plan.expiring', told_days::text, ends_at) FROM told`,
  });
  return rowCount ?? 0;
}
