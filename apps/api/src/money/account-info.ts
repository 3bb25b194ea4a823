import { ApiError } from '@kurir/contracts';
import { readAccountInfo } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { quotaText } from './quota-text.js';

export const accountInfo: Handler<'accountInfo'> = async ({ caller }, { database }) => {
  const info = await readAccountInfo(database, caller.accountId);
  if (info === null)
    throw new ApiError(
      'NO_PLAN_CHOSEN',
      'The account has had no subscription period yet. Choose a plan in the dashboard, renew and pay.',
    );
  return {
    user_id: caller.accountId,
    session_id: info.sessionId,
    plan: info.planName,
    plan_type: info.planType,
    start_date: info.startsAt.toISOString(),
    expiry_date: info.endsAt.toISOString(),
    days_left: info.daysLeft,
    initial_quota: quotaText(info.initialQuota),
    remaining_quota: quotaText(info.remainingQuota),
  };
};
