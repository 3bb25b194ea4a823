import { parseArgs } from 'node:util';

export type Options = {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly runs: number;
  readonly seconds: number;
  readonly profileFolder: string | null;
};

/** The arguments, as scripts/bench.mjs has checked them. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      runs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '3' },
      'cpu-prof': { type: 'string' },
    },
  });
  return {
    names: positionals,
    json: values.json,
    runs: Number(values.runs),
    seconds: Number(values.seconds),
    profileFolder: values['cpu-prof'] ?? null,
  };
}
