/** The options of `kurir webhook create` and `update`. */
import { limits, webhookModes } from '@kurir/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CreateWebhookInput } from '../../contract/call-types.js';

const listOf = (text: string): string[] => (text === 'all' ? [] : text.split(','));

/** Commander replaces null, so `none` stays a word here. */
function parseRate(text: string): number | 'none' {
  if (text === 'none') return text;
  const rate = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (rate < 1 || rate > limits.webhookMaxPerSecond)
    throw new InvalidArgumentError(`Give a number from 1 to ${limits.webhookMaxPerSecond}, or none.`);
  return rate;
}

export type FieldFlags = {
  types?: string[];
  devices?: string[];
  description?: string;
  mode?: CreateWebhookInput['mode'];
  maxPerSecond?: number | 'none';
};

export const addFieldOptions = (command: Command): Command =>
  command
    .option('--types <list>', 'event types, with commas between; all means the usual ones', listOf)
    .option('--devices <list>', 'ids of devices, with commas between; or all', listOf)
    .option('--description <text>', 'a note for people')
    .addOption(
      new Option('--mode <mode>', 'ordered: the events of one subject one after the other').choices(webhookModes),
    )
    .option('--max-per-second <count>', 'the most events a second, or none', parseRate);

export function fieldsOf({ devices: deviceIds, maxPerSecond, ...fields }: FieldFlags): Omit<CreateWebhookInput, 'url'> {
  return { ...fields, deviceIds, maxPerSecond: maxPerSecond === 'none' ? null : maxPerSecond };
}
