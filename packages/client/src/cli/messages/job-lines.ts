/** Shows a job and its timeline to people. */
import { messageReasons, waitingReasons } from '@kurir/contracts';
import type { Job } from '../../contract/call-types.js';
import type { Cli } from '../terminal/cli.js';
import { fieldLines, harmless } from '../terminal/layout.js';
import { fromNow, localTime, stepFrom } from '../terminal/moments.js';

type Paint = Cli['paint'];

export function paintStatus(status: Job['status'], paint: Paint): (text: string) => string {
  if (status === 'sent' || status === 'delivered' || status === 'read') return paint.green;
  if (status === 'failed' || status === 'expired') return paint.red;
  if (status === 'unknown') return paint.yellow;
  return status === 'cancelled' ? paint.dim : paint.cyan;
}

export const shortLine = ({ jobId, status, phoneDestination }: Job, paint: Paint): string =>
  `${harmless(jobId)}  ${paint.bold(paintStatus(status, paint)(status))}  to ${harmless(phoneDestination)}`;

export function jobLines(job: Job, paint: Paint, nowMs: number): string[] {
  const moment = (iso: string | null) => iso && `${localTime(iso)}  (${fromNow(iso, nowMs)})`;
  return [
    `${harmless(job.jobId)}  ${paint.bold(paintStatus(job.status, paint)(job.status))}`,
    '',
    ...fieldLines(
      [
        ['to', job.phoneDestination],
        ['device', job.deviceId],
        ['priority', job.priority],
        ['ref', job.clientRef],
        ['send at', moment(job.sendAt)],
        ['expires', moment(job.expiresAt)],
        ['reason', job.reason === null ? null : explain(job.reason)],
        ['waiting', job.waiting === null ? null : explain(job.waiting.reason)],
        ['until', moment(job.waiting?.until ?? null)],
      ],
      paint.dim,
    ),
    '',
    ...timelineLines(job, paint, nowMs),
  ];
}

function timelineLines({ timeline }: Job, paint: Paint, nowMs: number): string[] {
  return timeline.map(({ status, reason, at }, i) => {
    const before = timeline[i - 1];
    const step = before === undefined ? fromNow(at, nowMs) : stepFrom(before.at, at);
    const colour = paintStatus(status, paint);
    return `  ${paint.dim(localTime(at))}  ${colour('●')} ${colour(status.padEnd(10))} ${paint.dim(reason ? `${step}  ${harmless(reason)}` : step)}`;
  });
}

const sentences = new Map<string, string>(Object.entries({ ...messageReasons, ...waitingReasons }));

function explain(reason: string): string {
  const sentence = sentences.get(reason);
  return sentence === undefined ? reason : `${reason}: ${sentence}`;
}
