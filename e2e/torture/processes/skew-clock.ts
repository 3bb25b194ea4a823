/**
 * Loaded into a worker before anything else: its wall clock can be set wrong while it runs. SIGUSR2 makes it read from
 * a file by how many milliseconds. Only `Date` follows; the monotonic clock goes on as it does when an operator (or
 * NTP) sets a machine's time.
 */
import { readFileSync } from 'node:fs';

const file = process.env['TORTURE_CLOCK_FILE'] ?? '';
const TrueDate = Date;
let skewMs = 0;

function readSkew(): void {
  try {
    skewMs = Number(readFileSync(file, 'utf8'));
  } catch {
    skewMs = 0; // never set wrong so far
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
