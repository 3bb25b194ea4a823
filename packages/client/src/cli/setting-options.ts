/** The options by which a device spares its account. The gateway says what is too much. */
import { type Command, InvalidArgumentError } from 'commander';

export type SettingFlags = {
  pacePerMinute?: number | null;
  paceJitterMs?: number;
  typingMs?: number;
  newContactsPerDay?: number | null;
};

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

const parseCountOrNone = (text: string): number | null => (text === 'none' ? null : parseCount(text));

export function addSettingOptions(command: Command): Command {
  return command
    .option('--pace-per-minute <count>', 'messages per minute at most, or none', parseCountOrNone)
    .option('--pace-jitter-ms <ms>', 'a random wait up to this between two messages', parseCount)
    .option('--typing-ms <ms>', 'typing is shown for so long before each text', parseCount)
    .option('--new-contacts-per-day <count>', 'strangers written to in 24 hours at most, or none', parseCountOrNone);
}
