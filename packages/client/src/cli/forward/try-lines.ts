/** Shows how the developer's program answered: a line for people, or a line of JSON. */
import type { Cli } from '../terminal/cli.js';
import { harmless } from '../terminal/layout.js';
import { localTime } from '../terminal/moments.js';
import type { Try } from './forward-events.js';

function answerOf({ outcome, pauseMs }: Try, paint: Cli['paint']): string {
  const took = `in ${outcome.milliseconds} ms`;
  const answer = outcome.status === null ? (outcome.reason ?? '') : `${outcome.status} ${took}`;
  if (outcome.kind === 'taken') return paint.green(answer);
  const next = pauseMs === null ? 'given up' : `again in ${pauseMs / 1000} s`;
  return `${paint.red(harmless(answer))}, ${next}`;
}

function lineOf(tried: Try, { paint, clock }: Cli): string {
  const { event } = tried;
  const time = localTime(new Date(clock.now()).toISOString());
  return `${paint.dim(time)}  ${paint.cyan(event.type.padEnd(21))}  ${harmless(event.id)}  ${answerOf(tried, paint)}`;
}

function jsonOf({ event, outcome, number, pauseMs }: Try): string {
  return JSON.stringify({
    event_id: event.id,
    type: event.type,
    try: number,
    outcome: outcome.kind === 'taken' ? 'taken' : pauseMs === null ? 'given_up' : 'retried',
    status: outcome.status,
    reason: outcome.reason,
    milliseconds: outcome.milliseconds,
    next_try_in_milliseconds: pauseMs,
  });
}

export function showTry(cli: Cli): (tried: Try) => void {
  return (tried) => {
    cli.surroundings.stdout.write(`${cli.json ? jsonOf(tried) : lineOf(tried, cli)}\n`);
  };
}
