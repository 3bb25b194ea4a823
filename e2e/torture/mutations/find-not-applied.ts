/** Finds the changes of a mutation that did not take effect in a program. */
import { moduleChange, readApplied } from '../records/mutation-log.js';
import type { Mutation } from './mutations.js';

type Kind = 'api' | 'worker';

/** A program under attack, by its name: `api-1`, `worker-2`. */
const isOf = (kind: Kind, program: string) => program.startsWith(`${kind}-`);

/** Mutants break the api's own files, or what the worker does, in its files or in packages that the api may load too. */
const loadedBy = (file: string): Kind => (file.startsWith('apps/api/') ? 'api' : 'worker');

/** Each change of the mutation that a program of its kind did not load, as the end of a sentence. */
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
