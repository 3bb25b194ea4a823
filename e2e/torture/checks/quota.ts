/** Quota that does not add up: a period has taken another number of messages than its messages say. */
import type { Period } from '../records/database-record.js';
import { type Finding, finding } from './findings.js';

export function findWrongQuota(periods: readonly Period[]): Finding[] {
  return periods.flatMap(({ accountId, taken, owed }) =>
    taken === owed ? [] : [finding('quota_that_does_not_add_up', `${accountId} took ${taken}, its messages ${owed}`)],
  );
}
