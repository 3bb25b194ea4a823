/** Reads the flags of one run, which scripts/torture.mjs has already checked. */
import { parseArgs } from 'node:util';

export type Options = {
  readonly kind: string;
  readonly directory: string;
  readonly seed: string;
  readonly faults: number;
  readonly mutant: string | null;
  /** A built checkout of another version. */
  readonly from: string | null;
  readonly json: boolean;
};

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      directory: { type: 'string' },
      seed: { type: 'string', default: '1' },
      faults: { type: 'string', default: '100' },
      mutant: { type: 'string' },
      from: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.directory === undefined) throw new Error('--directory is missing');
  return {
    kind: positionals[0] ?? 'attack',
    directory: values.directory,
    seed: values.seed,
    faults: Number(values.faults),
    mutant: values.mutant ?? null,
    from: values.from ?? null,
    json: values.json,
  };
}
