/** V8's garbage collection, on demand. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns a function that collects all garbage at once. */
export function openCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
