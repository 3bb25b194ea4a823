/**
 * Which changes of a mutation took effect in which program. The hooks inside the program write it; before the load begins
 * the attack reads it, because a mutant that is whole would pass for one that the attack cannot see.
 */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutation } from './mutations.js';

type Kind = 'api' | 'worker';

/** A program under attack, by its name: `api-1`, `worker-2`. */
const isOf = (kind: Kind, program: string) => program.startsWith(`${kind}-`);

/** Mutants break the api's own files, or what the worker does, in its files or in packages that the api may load too. */
const loadedBy = (file: string): Kind => (file.startsWith('apps/api/') ? 'api' : 'worker');

export const moduleChange = (specifier: string) => `module ${specifier}`;

export const mutationLogOf = (directory: string, program: string) => join(directory, `${program}.mutation`);

export const forgetApplied = (directory: string, program: string) =>
  rmSync(mutationLogOf(directory, program), { force: true });

/** `change`: a file whose text was replaced, or a `moduleChange`. */
export const noteApplied = (log: string, change: string) => appendFileSync(log, `${change}\n`);

function readApplied(directory: string, program: string): Set<string> {
  const log = mutationLogOf(directory, program);
  return new Set(existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
}

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
