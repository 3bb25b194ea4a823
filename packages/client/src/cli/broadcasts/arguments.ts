/** Arguments and options that several commands of broadcasts share. */
import { type Command, InvalidArgumentError } from 'commander';
import type { UpdateBroadcastInput } from '../../contract/call-types.js';

type SendWindow = NonNullable<UpdateBroadcastInput['window']>;
/** Commander takes null for "no value", so `--no-window` is false. */
export type WindowFlag = { window?: SendWindow | false };

export const broadcastArgument = ['<broadcast>', 'the id of the broadcast, brc_…'] as const;

export function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

export function collectValue(pair: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
  if (name === '') throw new InvalidArgumentError('Write a value as name=value.');
  return { ...before, [name]: value };
}

function parseWindow(text: string): SendWindow {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new InvalidArgumentError('Write hours like 09:00-17:00.');
  return { from, to };
}

export const addWindowOptions = (command: Command): Command =>
  command
    .option('--window <hours>', 'send only in these hours of the recipient, such as 09:00-17:00', parseWindow)
    .option('--no-window', 'send at any hour');

/** Without a flag, the usual hours stay. */
export const windowOf = ({ window }: WindowFlag): Pick<UpdateBroadcastInput, 'window'> =>
  window === undefined ? {} : { window: window === false ? null : window };
