import { parseArgs } from 'node:util';
import type { NetworkName } from '../network/network.js';

export type Options = {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly runs: number;
  readonly seconds: number;
  readonly profileFolder: string | null;
  /** Null: as many as the study takes by itself. */
  readonly devices: number | null;
  readonly network: NetworkName;
  /** Null: for as long as the study soaks by itself. */
  readonly minutes: number | null;
  /** Otps a second; null: what the study finds out. */
  readonly rate: number | null;
  /** Null: as many as the study sends or stores by itself. */
  readonly sends: number | null;
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
      devices: { type: 'string' },
      sends: { type: 'string' },
      minutes: { type: 'string' },
      rate: { type: 'string' },
      network: { type: 'string', default: 'whatsapp' },
    },
  });
  return {
    names: positionals,
    json: values.json,
    runs: Number(values.runs),
    seconds: Number(values.seconds),
    profileFolder: values['cpu-prof'] ?? null,
    devices: values.devices === undefined ? null : Number(values.devices),
    minutes: values.minutes === undefined ? null : Number(values.minutes),
    rate: values.rate === undefined ? null : Number(values.rate),
    sends: values.sends === undefined ? null : Number(values.sends),
    network: values.network === 'simulator' ? 'simulator' : 'whatsapp',
  };
}
