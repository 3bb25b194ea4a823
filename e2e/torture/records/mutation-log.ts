/**
 * Which changes of a mutation took effect in which program. The hooks inside the program write it; before the load begins
 * the attack reads it, because a mutant that is whole would pass for one that the attack cannot see.
 */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const moduleChange = (specifier: string) => `module ${specifier}`;

export const mutationLogOf = (directory: string, program: string) => join(directory, `${program}.mutation`);

export const forgetApplied = (directory: string, program: string) =>
  rmSync(mutationLogOf(directory, program), { force: true });

/** `change`: a file whose text was replaced, or a `moduleChange`. */
export const noteApplied = (log: string, change: string) => appendFileSync(log, `${change}\n`);

export function readApplied(directory: string, program: string): Set<string> {
  const log = mutationLogOf(directory, program);
  return new Set(existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
}
