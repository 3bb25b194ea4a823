import { audienceProblems, type DataOf, showWindow } from '@kurir/contracts';
import type {
  BroadcastCounts,
  BroadcastText,
  BroadcastView,
  CountedBroadcast,
  RecipientView,
} from '@kurir/database/broadcasts';
import { fileProblems, fileSentence } from '@kurir/row-files';

const problems: ReadonlyMap<string, string> = new Map([
  ...fileProblems.map((problem) => [problem, fileSentence(problem)] as const),
  ...Object.entries(audienceProblems),
]);

export const showBroadcast = (row: BroadcastView): DataOf<'createBroadcast'> => ({
  broadcast_id: row.id,
  name: row.name,
  category: row.category,
  state: row.state,
  paused_by: row.pausedBy,
  device_ids: [...row.deviceIds],
  pace_per_minute: row.pacePerMinute,
  send_at: row.sendAt?.toISOString() ?? null,
  recipients: row.recipients,
  planned_share: row.plannedShare,
  audience_problem: row.audienceProblem && {
    ...row.audienceProblem,
    error: problems.get(row.audienceProblem.code) ?? 'The audience could not be read. Check it.',
  },
  created_at: row.createdAt.toISOString(),
  started_at: row.startedAt?.toISOString() ?? null,
  ended_at: row.endedAt?.toISOString() ?? null,
  window: row.window === null ? null : showWindow(row.window),
  max_per_person_a_day: row.maxPerDay,
  guards: { failed_percent: row.guardFailed, opted_out_percent: row.guardOptedOut },
  tripped:
    row.tripped === null ? null : { what: row.tripped.what, device_id: row.tripped.deviceId, count: row.tripped.count },
});

/** The first messages go out together. A shorter time would make a rate of them that no device has. */
const leastMinutes = 0.5;

/** The rate since the start, and when the rest will have left the lanes at this rate. */
function progressOf({ broadcast, counts }: CountedBroadcast, nowMs: number) {
  if (broadcast.startedAt === null) return { rate_per_minute: null, ends_about: null };
  const { queued = 0, ...gone } = counts.messages;
  const done = Object.values(gone).reduce((sum, count) => sum + count, 0);
  const minutes = ((broadcast.endedAt?.getTime() ?? nowMs) - broadcast.startedAt.getTime()) / 60_000;
  const rate = done / Math.max(minutes, leastMinutes);
  const left = counts.pending + queued;
  const endsAbout = broadcast.state === 'running' && rate > 0 ? new Date(nowMs + (left / rate) * 60_000) : null;
  return { rate_per_minute: Math.round(rate * 10) / 10, ends_about: endsAbout?.toISOString() ?? null };
}

export const showCounts = ({
  pending,
  skipped,
  messages,
  failed,
}: BroadcastCounts): DataOf<'getBroadcast'>['counts'] => ({
  pending,
  skipped: [...skipped],
  messages,
  failed: [...failed],
});

export const showCounted = (
  found: CountedBroadcast,
  text: BroadcastText | null,
  nowMs: number,
): DataOf<'getBroadcast'> => ({
  broadcast: showBroadcast(found.broadcast),
  counts: showCounts(found.counts),
  text: text === null ? null : { message: text.text, footer: text.footer },
  ...progressOf(found, nowMs),
});

const erased = /^erased /;

export const showRecipient = (row: RecipientView): DataOf<'listBroadcastRecipients'>['recipients'][number] => ({
  position: row.position,
  phone: erased.test(row.recipient) ? null : row.recipient,
  outcome: row.outcome,
  reason: row.reason,
  job_id: row.messageId,
  device_id: row.deviceId,
});
