/** Turns the timeline of a message into steps with their durations. */
import type { MessageDetail, ShownStatus } from './status.js';

export type Step = { status: ShownStatus; reason: string | null; at: string; tookMs: number | null };

export function stepsOf(timeline: MessageDetail['timeline']): Step[] {
  return timeline.map((step, i) => {
    const before = timeline[i - 1];
    return { ...step, tookMs: before === undefined ? null : Math.max(0, Date.parse(step.at) - Date.parse(before.at)) };
  });
}

/** The time from acceptance to the last step, or null if there is only one. */
export function wholeMs(timeline: MessageDetail['timeline']): number | null {
  const [first] = timeline;
  const last = timeline.at(-1);
  if (first === undefined || last === undefined || first === last) return null;
  return Math.max(0, Date.parse(last.at) - Date.parse(first.at));
}
