/**
 * Makes sure that a mutant is broken, and breaks its database. An unbroken mutant ends the run with an error. Otherwise
 * it would look as if the attack did not notice it, or as if another finding were its own.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Database } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { applyMutation } from '../mutations/apply-mutation.js';
import { findNotApplied } from '../mutations/find-not-applied.js';
import type { Mutation } from '../mutations/mutations.js';
import type { AttackedGateway } from '../processes/attacked-gateway.js';

const root = new URL('../../../', import.meta.url);
const takesEffectWithinMs = 10_000;

/** Call this before the gateway starts. Throws if a text to replace is not there. */
export function requireFound(mutation: Mutation): void {
  for (const { file } of mutation.replacements)
    applyMutation(mutation, file, readFileSync(fileURLToPath(new URL(file, root)), 'utf8'));
}

/** Call this when the gateway works. Throws if a program has not loaded its mutation. */
export function requireApplied(mutation: Mutation, mutant: string, directory: string, gateway: AttackedGateway): void {
  const programs = [...gateway.apis, ...gateway.workers.map(({ program }) => program)];
  const missing = findNotApplied(
    mutation,
    directory,
    programs.map(({ name }) => name),
  );
  if (missing.length > 0) throw new Error(`The mutant ${mutant} is not broken: ${missing.join(', ')}.`);
}

export async function breakDatabase({ sql }: Mutation, mutant: string, { pool }: Database): Promise<void> {
  for (const { statements, check } of sql) {
    for (const statement of statements) await pool.query(statement);
    const what = `The mutant ${mutant} is not broken: \`${check}\` does not say true`;
    const holds = async () => (await pool.query<{ holds: boolean }>(check)).rows[0]?.holds === true;
    await waitUntil(holds, { what, timeoutMs: takesEffectWithinMs });
  }
}
