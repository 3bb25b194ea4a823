/** Options that make a device send politely. Without an option, the default of the network applies. */
import { limits } from '@kurir/contracts';
import { type Command, InvalidArgumentError } from 'commander';
import { parseWhole } from '../terminal/parse-options.js';

/** A word stands for "no limit", because commander takes null for a missing value. */
type Limit = number | 'none';
type ContactLimit = Limit | 'automatic';

export type PolitenessOptions = {
  readonly pacePerMinute?: Limit;
  readonly paceJitterMs?: number;
  readonly typingMs?: number;
  readonly newContactsPerDay?: ContactLimit;
};

const noneIsNull = <L>(limit: L | 'none') => (limit === 'none' ? null : limit);

export function politenessOf({ pacePerMinute, paceJitterMs, typingMs, newContactsPerDay }: PolitenessOptions) {
  return {
    pacePerMinute: noneIsNull(pacePerMinute),
    paceJitterMs,
    typingMs,
    newContactsPerDay: noneIsNull(newContactsPerDay),
  };
}

function from(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = parseWhole(text);
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be from ${min} to ${max}`);
  };
}

const orNone =
  (parse: (text: string) => number) =>
  (text: string): Limit =>
    text === 'none' ? text : parse(text);

const orAutomatic =
  (parse: (text: string) => Limit) =>
  (text: string): ContactLimit =>
    text === 'automatic' ? text : parse(text);

export function addPolitenessOptions(command: Command): Command {
  return command
    .option(
      '--pace-per-minute <n>',
      'the most messages in a minute, or none; default for whatsapp: 20',
      orNone(from(1, limits.paceMaxPerMinute)),
    )
    .option(
      '--pace-jitter-ms <n>',
      'the longest random wait between two messages, in ms; default for whatsapp: 2000',
      from(0, limits.jitterMaxMs),
    )
    .option('--typing-ms <n>', 'milliseconds of typing before each text', from(0, limits.typingMaxMs))
    .option(
      '--new-contacts-per-day <n>',
      'the most new contacts in 24 hours, none for no limit (the network may restrict the account), or automatic; default for whatsapp: automatic',
      orAutomatic(orNone(from(0, limits.newContactsMaxPerDay))),
    );
}
