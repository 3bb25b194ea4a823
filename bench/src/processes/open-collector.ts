/** V8's garbage collection, on demand. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What collects all that is garbage, at once. */
export function openCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
