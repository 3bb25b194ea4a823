/** The options that protect the account of a device. The gateway checks their limits. */
import { type Command, InvalidArgumentError } from 'commander';

/** Commander takes null for "no value", so "no limit" is a word here. */
type Limit = number | 'none';
type ContactLimit = Limit | 'automatic';

export type SettingFlags = {
  pacePerMinute?: Limit;
  paceJitterMs?: number;
  typingMs?: number;
  newContactsPerDay?: ContactLimit;
};

type Settings = {
  pacePerMinute?: number | null;
  paceJitterMs?: number;
  typingMs?: number;
  newContactsPolicy?: 'automatic' | 'fixed';
  newContactsPerDay?: number | null;
};

const noneIsNull = (limit: Limit) => (limit === 'none' ? null : limit);

function contactLimit(limit: ContactLimit): Settings {
  if (limit === 'automatic') return { newContactsPolicy: limit };
  return limit === 'none' ? { newContactsPerDay: null } : { newContactsPolicy: 'fixed', newContactsPerDay: limit };
}

/** The settings in the form of the API. */
export function settingsOf({ pacePerMinute, newContactsPerDay, ...rest }: SettingFlags): Settings {
  return {
    ...rest,
    ...(pacePerMinute === undefined ? {} : { pacePerMinute: noneIsNull(pacePerMinute) }),
    ...(newContactsPerDay === undefined ? {} : contactLimit(newContactsPerDay)),
  };
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

const parseLimit = (text: string): Limit => (text === 'none' ? text : parseCount(text));

const parseContactLimit = (text: string): ContactLimit => (text === 'automatic' ? text : parseLimit(text));

export function addSettingOptions(command: Command): Command {
  return command
    .option('--pace-per-minute <count>', 'at most this many messages in a minute; or none', parseLimit)
    .option('--pace-jitter-ms <ms>', 'wait a random time up to this between two messages', parseCount)
    .option('--typing-ms <ms>', 'show typing for this long before each text', parseCount)
    .option(
      '--new-contacts-per-day <count>',
      'at most this many new contacts in 24 hours; automatic; or none (the network may restrict the account)',
      parseContactLimit,
    );
}
