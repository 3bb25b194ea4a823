import type { Writes } from '../readings/write-meter.js';
import type { Figure } from './figures.js';

/** `what` begins each figure's name, for example `an accepted message`. */
export function writeFigures(what: string, writes: Writes, messages: number): Figure[] {
  const rows = { unit: 'rows', digits: 2 };
  return [
    { name: `${what}: WAL`, value: writes.walBytes / messages, unit: 'bytes', digits: 0 },
    { name: `${what}: inserted`, value: writes.inserted / messages, ...rows },
    { name: `${what}: updated`, value: writes.updated / messages, ...rows },
    { name: `${what}: updated, no index touched`, value: writes.hot / messages, ...rows },
    { name: `${what}: deleted`, value: writes.deleted / messages, ...rows },
  ];
}
