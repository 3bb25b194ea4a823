/** Shows the health of a device to people: the word, its reasons, and a line for each day on which something happened. */
import type { DeviceHealth } from '../../contract/call-types.js';
import type { Cli } from '../terminal/cli.js';
import { harmless, tableLines } from '../terminal/layout.js';
import { fromNow } from '../terminal/moments.js';

type Day = DeviceHealth['days'][number];

const heads = ['day', 'sent', 'delivered', 'failed', 'refused', 'unknown', 'answers', 'opted out'];

const cellsOf = (day: Day): string[] => [
  day.day,
  String(day.sent),
  day.sent === 0 ? '-' : `${Math.round((100 * day.delivered) / day.sent)} %`,
  ...[day.failed, day.refused, day.unknown, day.answers, day.optedOut].map(String),
];

const isQuiet = ({ day: _day, ...counts }: Day) => Object.values(counts).every((count) => count === 0);

export function healthLines(health: DeviceHealth, { paint, clock }: Cli): string[] {
  const word = health.health === 'good' ? paint.green(health.health) : paint.red(health.health);
  const reasons = health.reasons.map(
    ({ reason, percent, advice }) =>
      `  ${harmless(reason)}${percent === null ? '' : ` ${percent} %`}: ${harmless(advice)}`,
  );
  const busy = health.days.filter((day) => !isQuiet(day));
  const table = tableLines([heads, ...busy.map(cellsOf)], (cell, _column, row) => (row === 0 ? paint.dim(cell) : cell));
  const counted = health.countedAt === null ? 'not counted yet' : `counted ${fromNow(health.countedAt, clock.now())}`;
  return [
    `${word}  ${harmless(health.deviceId)}  ${paint.dim(counted)}`,
    ...reasons,
    ...(busy.length === 0 ? [paint.dim('No messages in the last 30 days.')] : table),
  ];
}
