// The order of the test files. What uses the processors stands beside what waits, and nothing long comes last.
import { BaseSequencer } from 'vitest/node';

/** It takes longer than any other file and mostly waits. */
const ATTACK = '/e2e/torture/torture.test.ts';
/** Each file of e2e starts several programs; all of them at once would starve each other. */
const FILES_BETWEEN_E2E = 3;

/** The attack, then the files of e2e one at a time with `between` of the others after each. */
export function spread(files, { isAttack, isE2e, between = FILES_BETWEEN_E2E }) {
  const attack = files.filter(isAttack);
  const e2e = files.filter((file) => isE2e(file) && !isAttack(file));
  const others = files.filter((file) => !isE2e(file) && !isAttack(file));
  const mixed = e2e.flatMap((file) => [file, ...others.splice(0, between)]);
  return [...attack, ...mixed, ...others];
}

/** Vitest's own order, longest first, spread like this. */
export class FileOrder extends BaseSequencer {
  async sort(files) {
    return spread(await super.sort(files), {
      isAttack: ({ moduleId }) => moduleId.endsWith(ATTACK),
      isE2e: ({ project }) => project.name === 'e2e',
    });
  }
}
