/**
 * Node loads this file first into a worker, so that a fault can skew the worker's wall clock. On SIGUSR2 it reads the
 * skew in milliseconds from a file. Only `Date` follows. The monotonic clock does not, as on a machine whose time an
 * operator or NTP sets.
 */
import { readFileSync } from 'node:fs';

const file = process.env['TORTURE_CLOCK_FILE'] ?? '';
const TrueDate = Date;
let skewMs = 0;

function readSkew(): void {
  try {
    skewMs = Number(readFileSync(file, 'utf8'));
  } catch {
    skewMs = 0; // there was no skew so far
  }
}

const now = () => TrueDate.now() + skewMs;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: (target) => new target(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});

readSkew();
process.on('SIGUSR2', readSkew);
