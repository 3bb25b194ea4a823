/** Formats broadcasts for people. */
import { messageReasons, pauseReasons, skipReasons } from '@kurir/contracts';
import type { Answer, Broadcast, CountedBroadcast } from '../../contract/call-types.js';
import type { Cli } from '../terminal/cli.js';
import { type Field, fieldLines, harmless, tableLines } from '../terminal/layout.js';
import { fromNow, localTime } from '../terminal/moments.js';

type Paint = Cli['paint'];
type Counts = CountedBroadcast['counts'];

export function paintState({ state }: Pick<Broadcast, 'state'>, paint: Paint): (text: string) => string {
  if (state === 'finished') return paint.green;
  if (state === 'paused') return paint.yellow;
  return state === 'cancelled' ? paint.dim : paint.cyan;
}

/** A newer gateway may send a word that this version does not know. */
const sentence = (words: Readonly<Record<string, string>>, word: string): string =>
  words[word] === undefined ? harmless(word) : `${word}: ${words[word]}`;

export function whyPaused({ pausedBy, tripped }: Broadcast): string | null {
  if (pausedBy === null) return null;
  const guard = tripped === null ? '' : ` ${tripped.deviceId}: ${tripped.count} ${tripped.what.replace('_', ' ')}.`;
  return `${sentence(pauseReasons, pausedBy)}${guard}`;
}

const hours = ({ window }: Broadcast): string =>
  window === null ? 'any' : `${window.from} to ${window.to} of the ${window.zone}`;

export const stateLine = (broadcast: Broadcast, { paint }: Cli): string => {
  const why = whyPaused(broadcast);
  const state = paintState(broadcast, paint)(broadcast.state);
  return `${state}  ${broadcast.broadcastId}${why === null ? '' : `  ${why}`}`;
};

/** Why its list could not be read to the end. */
export const problemLines = ({ audienceProblem }: Broadcast): string[] => {
  if (audienceProblem === null) return [];
  const { row, error } = audienceProblem;
  return [`${row === null ? '' : `row ${row}: `}${harmless(error)}`];
};

export function broadcastTable(broadcasts: readonly Broadcast[], { paint, clock }: Cli): string[] {
  if (broadcasts.length === 0) return ['No broadcasts.'];
  const rows = broadcasts.map((each) => [
    each.broadcastId,
    each.pausedBy === null ? each.state : `${each.state} (${each.pausedBy})`,
    each.recipients.toLocaleString('en'),
    fromNow(each.createdAt, clock.now()),
    each.name,
  ]);
  return tableLines(rows, (cell, column, row) => {
    const broadcast = broadcasts[row];
    return column === 1 && broadcast !== undefined ? paintState(broadcast, paint)(cell) : cell;
  });
}

const moment = (iso: string | null, nowMs: number) => iso && `${localTime(iso)}  (${fromNow(iso, nowMs)})`;

function fieldsOf(broadcast: Broadcast, nowMs: number): Field[] {
  return [
    ['broadcast', broadcast.broadcastId],
    ['name', broadcast.name],
    ['state', broadcast.state],
    ['paused by', whyPaused(broadcast)],
    ['problem', problemLines(broadcast)[0]],
    ['category', broadcast.category],
    ['devices', broadcast.deviceIds.join(', ')],
    ['pace', broadcast.pacePerMinute === null ? null : `${broadcast.pacePerMinute} a minute`],
    ['hours', hours(broadcast)],
    ['recipients', broadcast.recipients.toLocaleString('en')],
    ['send at', moment(broadcast.sendAt, nowMs)],
    ['created', moment(broadcast.createdAt, nowMs)],
    ['started', moment(broadcast.startedAt, nowMs)],
    ['ended', moment(broadcast.endedAt, nowMs)],
  ];
}

/** One line for each outcome, and below it one for each reason. */
export function countLines({ pending, skipped, messages, failed }: Counts): string[] {
  const statuses = Object.entries(messages).filter(([, count]) => count > 0);
  const skippedCount = skipped.reduce((sum, { count }) => sum + count, 0);
  const outcomes = [['pending', pending] as const, ...statuses, ['skipped', skippedCount] as const];
  const reasons: Readonly<Record<string, readonly string[]>> = {
    failed: failed.map(({ reason, count }) => `${count}  ${sentence(messageReasons, reason)}`),
    skipped: skipped.map(({ reason, count }) => `${count}  ${sentence(skipReasons, reason)}`),
  };
  return outcomes
    .filter(([, count]) => count > 0)
    .flatMap(([outcome, count]) => [
      `  ${outcome.padEnd(9)}  ${count.toLocaleString('en')}`,
      ...(reasons[outcome] ?? []).map((line) => `             ${line}`),
    ]);
}

export function countedLines({ broadcast, counts, ratePerMinute, endsAbout }: CountedBroadcast, cli: Cli): string[] {
  const now = cli.clock.now();
  const progress: Field[] = [
    ['rate', ratePerMinute === null ? null : `${ratePerMinute} a minute`],
    ['ends about', moment(endsAbout, now)],
  ];
  return [...fieldLines([...fieldsOf(broadcast, now), ...progress], cli.paint.dim), '', ...countLines(counts)];
}

export function checkLines(check: Answer<'checkBroadcast'>, { paint }: Cli): string[] {
  const { broadcast, counts, sendable, shares, newContacts, remainingQuota, samples } = check;
  const isShort = remainingQuota !== 'Unlimited' && Number(remainingQuota) < sendable;
  const devices = shares.map(({ deviceId, known, pacePerMinute }) => {
    const pace = pacePerMinute === null ? '' : `, ${pacePerMinute} a minute`;
    return `  ${deviceId}  knows ${known.toLocaleString('en')}${pace}`;
  });
  const { plannedShare } = broadcast;
  const read =
    plannedShare === null ? [] : [paint.yellow(`The list is still read: ${Math.floor(plannedShare * 100)} %.`)];
  const texts = samples.flatMap(({ phone, text }) => ['', paint.dim(phone), ...text.split('\n').map(harmless)]);
  return [
    `${paintState(broadcast, paint)(broadcast.state)}  ${broadcast.broadcastId}`,
    ...read,
    `${sendable.toLocaleString('en')} of ${broadcast.recipients.toLocaleString('en')} recipients would get a message.`,
    ...countLines({ ...counts, pending: 0, messages: {} }),
    ...devices,
    `  ${newContacts.toLocaleString('en')} are new to these devices`,
    ...(isShort ? [paint.yellow(`  The quota does not suffice: ${remainingQuota} left.`)] : []),
    ...texts,
  ];
}

type Recipients = Answer<'listBroadcastRecipients'>['recipients'];

export function recipientTable(recipients: Recipients): string[] {
  if (recipients.length === 0) return ['No recipients.'];
  const rows = recipients.map(({ position, phone, outcome, reason, jobId }) => [
    String(position),
    phone ?? '(erased)',
    outcome,
    reason ?? '',
    jobId ?? '',
  ]);
  return tableLines(rows, (cell) => cell);
}
