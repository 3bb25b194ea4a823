import type { OperationData } from '@kurir/contracts/dashboard';
import { limits } from '@kurir/contracts';
import { type Report, readReport as readReportRows } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

type Shown = OperationData<'readReport'>;

const showLatency = ({ count, p50Ms, p99Ms }: Report['otp']): Shown['otp'] => ({
  count,
  p50_ms: p50Ms,
  p99_ms: p99Ms,
});

/** The most frequent reasons. One entry without a reason sums up the rest. */
function showReasons(failedFor: Report['failedFor']): Shown['failed_for'] {
  const known = failedFor.filter(({ reason }) => reason !== null).slice(0, limits.reportTop);
  const rest = failedFor.filter((entry) => !known.includes(entry));
  const [first] = rest;
  if (first === undefined) return known;
  const counts = first.counts.map((_, i) => rest.reduce((sum, entry) => sum + (entry.counts[i] ?? 0), 0));
  return [...known, { reason: null, counts }];
}

export const readReport: Handler<'readReport'> = async ({ caller: { accountId }, query }, { database }) => {
  const report = await readReportRows(database.reports, accountId, query);
  return {
    unit: query.unit,
    parts: report.parts.map(({ start, otp, ...counts }) => ({
      start: start.toISOString(),
      ...counts,
      otp: showLatency(otp),
    })),
    all: report.all,
    otp: showLatency(report.otp),
    counted_since: report.countedSince?.toISOString() ?? null,
    failed_for: showReasons(report.failedFor),
    devices: report.devices
      .slice(0, limits.reportTop)
      .map(({ deviceId, ...counts }) => ({ device_id: deviceId, ...counts })),
    senders: report.senders.slice(0, limits.reportTop).map(({ apiKey, ...counts }) => ({ api_key: apiKey, ...counts })),
  };
};
