/**
 * Follows a broadcast until it ends. It only reads, so ending the command leaves the broadcast as it is. A terminal shows
 * a bar; otherwise each change of state is a line.
 */
import type { CountedBroadcast } from '../../contract/call-types.js';
import { KurirUsageError } from '../../calls/errors.js';
import { toSnakeCase } from '../../contract/wire-case.js';
import type { Cli } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { clearLine, showBar } from '../terminal/progress.js';
import { countLines, stateLine } from './broadcast-lines.js';

const lookEveryMs = 2_000;
/** The gateway counts long lists slowly, so it gets this many times as long to rest. */
const restOverCounting = 4;

type Progress = { readonly done: number; readonly total: number };

/** Skipped recipients do not count. */
function progressOf({ broadcast, counts }: CountedBroadcast): Progress {
  const { queued = 0, sending = 0 } = counts.messages;
  const total = broadcast.recipients - counts.skipped.reduce((sum, { count }) => sum + count, 0);
  return { total, done: total - counts.pending - queued - sending };
}

const clockTime = (iso: string): string => new Date(iso).toLocaleTimeString('sv-SE');

function barText(counted: CountedBroadcast): string {
  const { broadcast, counts, ratePerMinute, endsAbout } = counted;
  const { done, total } = progressOf(counted);
  const { failed = 0, unknown = 0 } = counts.messages;
  return [
    `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(broadcast.state === 'running' && ratePerMinute !== null ? [`${ratePerMinute} a minute`] : []),
    ...(endsAbout === null ? [] : [`ends about ${clockTime(endsAbout)}`]),
    ...(broadcast.state === 'running' ? [] : [broadcast.pausedBy ?? broadcast.state]),
  ].join(', ');
}

/** With --json it prints one line for each change. */
function show(cli: Cli, counted: CountedBroadcast, before: CountedBroadcast | null): void {
  const { broadcast } = counted;
  if (cli.json) {
    const isSame = JSON.stringify([broadcast, counted.counts]) === JSON.stringify([before?.broadcast, before?.counts]);
    if (!isSame) cli.surroundings.stdout.write(`${JSON.stringify(toSnakeCase(counted))}\n`);
    return;
  }
  const isMoved = broadcast.state !== before?.broadcast.state || broadcast.pausedBy !== before.broadcast.pausedBy;
  if (isMoved && !isOver(counted)) cli.say(clearLine(cli) + stateLine(broadcast, cli));
  const { done, total } = progressOf(counted);
  showBar(cli, isOver(counted) ? 1 : Math.min(done / Math.max(1, total), 0.99), barText(counted));
}

const isOver = ({ broadcast: { state } }: CountedBroadcast): boolean => state === 'finished' || state === 'cancelled';

function finish(cli: Cli, { broadcast, counts }: CountedBroadcast): void {
  const { failed = 0, expired = 0, unknown = 0 } = counts.messages;
  if (!cli.json) cli.surroundings.stdout.write(`${[stateLine(broadcast, cli), ...countLines(counts)].join('\n')}\n`);
  if (failed > 0) cli.say(`To send to them again: kurir broadcast resume ${broadcast.broadcastId} --failed`);
  if (broadcast.state === 'cancelled' || failed + expired + unknown > 0) cli.exitWith(exitCodes.refused);
}

async function follow(cli: Cli, id: string, signal: AbortSignal): Promise<void> {
  for (let before: CountedBroadcast | null = null; ; ) {
    const askedAt = cli.clock.now();
    const counted: CountedBroadcast = await cli.client.getBroadcast(id, { signal });
    const { state } = counted.broadcast;
    if (state === 'draft' || state === 'checking' || state === 'ready')
      throw new KurirUsageError(`The broadcast is ${state}. Start it: kurir broadcast start ${id} --watch`);
    show(cli, counted, before);
    if (isOver(counted)) return finish(cli, counted);
    before = counted;
    await cli.clock.sleep(Math.max(lookEveryMs, restOverCounting * (cli.clock.now() - askedAt)), signal);
  }
}

/** The exit code is 1 if it was cancelled, or if messages failed or have an unknown outcome. */
export async function watchBroadcast(cli: Cli, id: string): Promise<void> {
  const stop = new AbortController();
  cli.surroundings.onInterrupt?.(() => stop.abort());
  try {
    await follow(cli, id, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    cli.say(`${clearLine(cli)}The broadcast goes on. To pause it: kurir broadcast pause ${id}`);
  }
}
