/** The filters of the audit log. They are in the address, so that a person can share a view. */
import { type AuditGroup, auditGroups, type DashboardQueryInput } from '@kurir/contracts/dashboard';
import { type SpanSearch, timesOf } from '../../form/filters/span.js';

export type AuditSearch = SpanSearch & {
  group?: string | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
};

const groupOf = (text: string | undefined): AuditGroup | undefined => auditGroups.find((group) => group === text);

export function filtersOf(search: AuditSearch, nowMs: number): NonNullable<DashboardQueryInput<'exportAudit'>> {
  const { actor, subject = '' } = search;
  const group = groupOf(search.group);
  return {
    ...(group === undefined ? {} : { group }),
    ...(actor ? { actor } : {}),
    ...(subject.trim() === '' ? {} : { subject: subject.trim() }),
    ...timesOf(search, nowMs),
  };
}

export const isFiltered = (search: AuditSearch): boolean => Object.values(search).some(Boolean);
