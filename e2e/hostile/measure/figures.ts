/** Keeps the figures of a run, prints them, and writes them to the file that scripts/hostile.mjs names. */
import { writeFileSync } from 'node:fs';
import type { Phase } from './observer.js';

const phases: Record<string, Phase & Record<string, unknown>> = {};

export function tellPhase(name: string, phase: Phase, more: Record<string, unknown> = {}): void {
  phases[name] = { ...more, ...phase };
  const { rss_before_mb, rss_peak_mb, rss_after_mb, loop_p99_ms, loop_max_ms, live_p50_ms, live_p99_ms, seconds } =
    phase;
  const others = Object.entries(more).map(([key, value]) => `${key} ${String(value)}`);
  const line = [
    `memory ${rss_before_mb} → ${rss_peak_mb} → ${rss_after_mb} MB`,
    `event loop p99 ${loop_p99_ms} ms, max ${loop_max_ms} ms`,
    `/health/live p50 ${live_p50_ms} ms, p99 ${live_p99_ms} ms`,
    `${seconds} s`,
    ...others,
  ];
  process.stdout.write(`${name}: ${line.join('; ')}\n`);
  const file = process.env['KURIR_HOSTILE_REPORT'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(phases, null, 2));
}
