// Changes a key file in one of three steps: docs/keys.md. It prints no key.
//   add   writes a new key behind the present one. Programs then read with both.
//   swap  puts the last key first. Programs then write with it.
//   drop  takes the last key away. It goes to FILE.dropped, because older backups need it.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { writeSecret } from './write-secret.mjs';

const steps = {
  add: { needs: 1, next: (keys) => [...keys, randomBytes(32).toString('base64')] },
  swap: { needs: 2, next: ([first, second]) => [second, first] },
  drop: { needs: 2, next: ([first]) => [first] },
};

const keysOf = (path) =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split(/[\s,]+/)
        .filter(Boolean)
    : [];

/** Returns the sentence for the operator. Throws, and changes nothing, if the file is not ready for the step. */
export function changeKey(path, step) {
  const known = steps[step];
  if (known === undefined) throw new Error('The step must be add, swap or drop.');
  const keys = keysOf(path);
  if (keys.length !== known.needs)
    throw new Error(`${path} holds ${keys.length} keys, and ${step} needs ${known.needs}. Nothing was changed.`);
  if (step === 'drop') writeSecret(`${path}.dropped`, [...keysOf(`${path}.dropped`), keys[1]].join('\n'));
  const next = known.next(keys);
  writeSecret(path, next.join('\n'));
  return `${path} holds ${next.length} ${next.length === 1 ? 'key' : 'keys'} now. Restart api and worker.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(changeKey(process.argv[2], process.argv[3]));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
