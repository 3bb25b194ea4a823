// The arguments of `npm run hostile`.
import { parseArgs } from 'node:util';

export class UsageError extends Error {}

const MAX_MINUTES = 24 * 60;

export const USAGE = `Usage: npm run hostile [-- flags]

Attacks a running api like a stranger: junk and slow bodies, costly bodies, wrong signatures, smuggled and mutated
requests, guesses of passwords, stolen sessions, redirects, foreign hosts. It measures the memory and the event loop of
the api, and how fast /health/live answers, idle and attacked. The same attacks run for seconds in npm test.

  --minutes N   how long floods and mutated requests go on, each (default 1, up to ${MAX_MINUTES})
  --seed S      selects the mutated requests (default 1); the same seed sends the same again
  --json        print the figures as JSON and nothing else on standard output
  --help        print this text

Exit codes: 0 if every attack was held off. 1 if one was not. 2 for wrong arguments.
`;

const FLAGS = {
  minutes: { type: 'string', default: '1' },
  seed: { type: 'string', default: '1' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse(args) {
  try {
    return parseArgs({ args, options: FLAGS }).values;
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/** `{minutes, seed, json, help}`, or throws UsageError. */
export function parseArguments(args) {
  const { minutes: text, seed, json, help } = parse(args);
  const minutes = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || minutes > MAX_MINUTES)
    throw new UsageError(`"${text}" is no number of minutes up to ${MAX_MINUTES}.`);
  if (!/^[\w-]{1,32}$/.test(seed)) throw new UsageError(`"${seed}" is no seed: up to 32 letters, digits, - and _.`);
  return { minutes, seed, json, help };
}
