/** Finds the changes of a mutation that did not take effect in a program. */
import { moduleChange, readApplied } from '../records/mutation-log.js';
import type { Mutation } from './mutations.js';

type Kind = 'api' | 'worker';

/** `program` is the name of a program under attack, such as `api-1` or `worker-2`. */
const isOf = (kind: Kind, program: string) => program.startsWith(`${kind}-`);

/**
 * A mutation of a file of the api breaks the api. Any other mutation breaks the worker, although the api may load that
 * package too.
 */
const loadedBy = (file: string): Kind => (file.startsWith('apps/api/') ? 'api' : 'worker');

/** Returns each change that a program of the right kind did not load, as the end of a sentence. */
export function findNotApplied(
  { modules, replacements }: Pick<Mutation, 'modules' | 'replacements'>,
  directory: string,
  programs: readonly string[],
): string[] {
  const changes = [
    ...new Set(replacements.map(({ file }) => file)),
    ...Object.keys(modules).map((specifier) => moduleChange(specifier)),
  ];
  return programs.flatMap((program) => {
    const applied = readApplied(directory, program);
    return changes
      .filter((change) => isOf(loadedBy(change), program) && !applied.has(change))
      .map((change) => `${program} never loaded ${change}`);
  });
}
