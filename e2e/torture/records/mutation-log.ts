/**
 * The changes of a mutation that took effect in a program. The hooks inside the program write the log. The attack reads
 * it before the load begins, because an unbroken mutant would look like one that the attack cannot notice.
 */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export const moduleChange = (specifier: string) => `module ${specifier}`;

export const mutationLogOf = (directory: string, program: string) => join(directory, `${program}.mutation`);

export const forgetApplied = (directory: string, program: string) =>
  rmSync(mutationLogOf(directory, program), { force: true });

/** `change` is a file whose text was replaced, or a `moduleChange`. */
export const noteApplied = (log: string, change: string) => appendFileSync(log, `${change}\n`);

export function readApplied(directory: string, program: string): Set<string> {
  const log = mutationLogOf(directory, program);
  return new Set(existsSync(log) ? readFileSync(log, 'utf8').split('\n') : []);
}
