/** The options by which a device spares its account. The gateway says what is too much. */
import { type Command, InvalidArgumentError } from 'commander';

/** Commander takes null for no value, so no limit is a word here. */
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

/** As the API has them. */
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
    .option('--pace-per-minute <count>', 'messages per minute at most, or none', parseLimit)
    .option('--pace-jitter-ms <ms>', 'a random wait up to this between two messages', parseCount)
    .option('--typing-ms <ms>', 'typing is shown for so long before each text', parseCount)
    .option(
      '--new-contacts-per-day <count>',
      'new contacts in 24 hours at most, automatic, or none (the network may restrict the account)',
      parseContactLimit,
    );
}
