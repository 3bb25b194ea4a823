// The order of the test files. Files that use the processors run along with files that wait. No long file comes last.
import { BaseSequencer } from 'vitest/node';

/** It takes longer than any other file and mostly waits. */
const ATTACK = '/e2e/torture/torture.test.ts';
/** Each file of e2e starts several programs. Too many at once would slow each other down. */
const FILES_BETWEEN_E2E = 3;

/** The attack comes first. Then each file of e2e is followed by `between` other files. */
export function spread(files, { isAttack, isE2e, between = FILES_BETWEEN_E2E }) {
  const attack = files.filter(isAttack);
  const e2e = files.filter((file) => isE2e(file) && !isAttack(file));
  const others = files.filter((file) => !isE2e(file) && !isAttack(file));
  const mixed = e2e.flatMap((file) => [file, ...others.splice(0, between)]);
  return [...attack, ...mixed, ...others];
}

/** Takes the order of vitest, longest first, and spreads the files. */
export class FileOrder extends BaseSequencer {
  async sort(files) {
    return spread(await super.sort(files), {
      isAttack: ({ moduleId }) => moduleId.endsWith(ATTACK),
      isE2e: ({ project }) => project.name === 'e2e',
    });
  }
}
