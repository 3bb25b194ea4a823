/** The commands that check, start, stop, change and try a broadcast. */
import type { Command } from 'commander';
import { KurirUsageError } from '../../calls/errors.js';
import type { Broadcast, UpdateBroadcastInput } from '../../contract/call-types.js';
import { addWaitOptions, type WaitFlags, waitForSent } from '../messages/wait-options.js';
import { type Begin, type Cli, devicesOf } from '../terminal/cli.js';
import { confirm } from '../terminal/confirm.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { harmless } from '../terminal/layout.js';
import { parseNumber } from '../terminal/parse-time.js';
import {
  addWindowOptions,
  broadcastArgument,
  collectValue,
  parseCount,
  type WindowFlag,
  windowOf,
} from './arguments.js';
import { checkLines, stateLine } from './broadcast-lines.js';
import { watchBroadcast } from './watch-broadcast.js';

type WatchFlag = { watch?: true };

const anyHourOption = ['--any-hour', 'marketing may go out before 08:00 and after 21:00, so at night too'] as const;
const watchOption = ['--watch', 'follow it until it ends'] as const;

/** Followed by the lines of the watch, or printed alone. */
async function tell(cli: Cli, broadcast: Broadcast, { watch }: WatchFlag = {}): Promise<void> {
  if (watch) await watchBroadcast(cli, broadcast.broadcastId);
  else cli.print(broadcast, () => [stateLine(broadcast, cli)]);
}

export function addControlCommands(broadcast: Command, begin: Begin): void {
  addStartCommands(broadcast, begin);
  addStopCommands(broadcast, begin);
  addUpdateCommand(broadcast, begin);
  addTestCommand(broadcast, begin);
}

function addStartCommands(broadcast: Command, begin: Begin): void {
  broadcast
    .command('check')
    .argument(...broadcastArgument)
    .description('Fix the list, and say what would go out. The exit code is 1 if nobody would get a message.')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const check = await cli.client.checkBroadcast(id);
      cli.print(check, () => checkLines(check, cli));
      if (check.sendable === 0) cli.exitWith(exitCodes.refused);
    });
  broadcast
    .command('start')
    .argument(...broadcastArgument)
    .description('Start a broadcast that was checked, or let it start at its time.')
    .option(...anyHourOption)
    .option(...watchOption)
    .action(async (id: string, flags: WatchFlag & { anyHour?: true }, own: Command) => {
      const cli = begin(own);
      await tell(cli, await cli.client.startBroadcast(id, { confirmAnyHour: flags.anyHour }), flags);
    });
  broadcast
    .command('resume')
    .argument(...broadcastArgument)
    .description('Go on with a paused broadcast, or send again.')
    .option('--failed', 'send again to those whose message failed')
    .option('--unknown', 'send again where nobody knows whether the message arrived; a person may get two')
    .option(...watchOption)
    .action(async (id: string, flags: WatchFlag & { failed?: true; unknown?: true }, own: Command) => {
      if (flags.failed && flags.unknown) throw new KurirUsageError('Give --failed or --unknown, not both.');
      const cli = begin(own);
      const scope = flags.failed ? 'failed' : flags.unknown ? 'unknown' : 'pending';
      await tell(cli, await cli.client.resumeBroadcast(id, { scope }), flags);
    });
}

async function askToCancel(cli: Cli, id: string): Promise<void> {
  const { broadcast, counts } = await cli.client.getBroadcast(id);
  const waiting = (counts.pending + (counts.messages.queued ?? 0)).toLocaleString('en');
  await confirm(cli, `Cancel "${harmless(broadcast.name)}" for good? Recipients who then get no message: ${waiting}.`);
}

function addStopCommands(broadcast: Command, begin: Begin): void {
  broadcast
    .command('pause')
    .argument(...broadcastArgument)
    .description('Pause a broadcast. A message that is being sent still goes out.')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      await tell(cli, await cli.client.pauseBroadcast(id));
    });
  broadcast
    .command('cancel')
    .argument(...broadcastArgument)
    .description('End a broadcast for good. It asks before.')
    .option('--yes', 'do not ask')
    .action(async (id: string, { yes }: { yes?: true }, own: Command) => {
      const cli = begin(own);
      if (!yes) await askToCancel(cli, id);
      await tell(cli, await cli.client.cancelBroadcast(id));
    });
}

/** Commander takes null for "no value", so `--no-pace` is false here. */
type UpdateFlags = WindowFlag & { name?: string; pace?: number | false; anyHour?: true };

function changeOf({ name, pace, ...hours }: UpdateFlags, devices: readonly string[]): UpdateBroadcastInput {
  return {
    ...(name === undefined ? {} : { name }),
    ...(pace === undefined ? {} : { pacePerMinute: pace === false ? null : pace }),
    ...windowOf(hours),
    ...(devices.length === 0 ? {} : { deviceIds: [...devices] }),
  };
}

function addUpdateCommand(broadcast: Command, begin: Begin): void {
  const update = broadcast
    .command('update')
    .argument(...broadcastArgument)
    .description('Change the name, the pace, the hours, or with --device the devices, also while it runs.')
    .option('--name <name>', 'the name')
    .option('--pace <count>', 'at most this many messages a minute, over all devices', parseCount)
    .option('--no-pace', 'only the devices have a pace')
    .option(...anyHourOption);
  addWindowOptions(update).action(async (id: string, flags: UpdateFlags, own: Command) => {
    const change = changeOf(flags, devicesOf(own));
    if (Object.keys(change).length === 0)
      throw new KurirUsageError('Give --name, --pace, --no-pace, --window, --no-window or --device.');
    const cli = begin(own);
    await tell(
      cli,
      await cli.client.updateBroadcast(id, { ...change, ...(flags.anyHour && { confirmAnyHour: true }) }),
    );
  });
}

type TestFlags = WaitFlags & { value?: Record<string, string> };

function addTestCommand(broadcast: Command, begin: Begin): void {
  const test = broadcast
    .command('test')
    .argument(...broadcastArgument)
    .argument('<number>', 'the phone number: digits with country code')
    .description('Send the text to one number, as a message of its own. The broadcast stays as it is.')
    .option(
      '--value <name=value>',
      'a value for the text; may be repeated; default: those of the first recipient',
      collectValue,
    )
    .action(async (id: string, number: string, flags: TestFlags, own: Command) => {
      const cli = begin(own);
      const sent = await cli.client.testBroadcast(id, { phone: parseNumber(number), values: flags.value });
      const line = `${cli.paint.green('accepted')}  ${sent.jobId}`;
      if (!flags.wait) return cli.print(sent, () => [line]);
      cli.say(line);
      await waitForSent(cli, sent.jobId, flags);
    });
  addWaitOptions(test);
}
