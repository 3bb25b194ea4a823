import { parseArgs } from 'node:util';
import type { NetworkName } from '../network/network.js';

export type Options = {
  readonly names: readonly string[];
  readonly json: boolean;
  readonly runs: number;
  readonly seconds: number;
  readonly profileFolder: string | null;
  /** Null for the study's own number. */
  readonly devices: number | null;
  readonly network: NetworkName;
  /** Null for the study's own duration. */
  readonly minutes: number | null;
  /** One-time codes per second; null if the study determines the rate. */
  readonly rate: number | null;
  /** How many messages the study sends or stores; null for its own number. */
  readonly sends: number | null;
};

/** Reads the arguments, which scripts/bench.mjs has already checked. */
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
