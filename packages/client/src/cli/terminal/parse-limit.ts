import { InvalidArgumentError } from 'commander';

/** The gateway refuses a number beyond its limit. */
export function parseLimit(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Give a number from 1 to 100.');
  return Number(text);
}
