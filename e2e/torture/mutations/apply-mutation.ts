/** Applies the replacements of a mutation to one built file. Throws if a text is not there exactly once. */
import type { Mutation } from './mutations.js';

/** `file` is relative to the repository's root. */
export function applyMutation({ replacements }: Mutation, file: string, source: string): string {
  let changed = source;
  for (const { find, put } of replacements.filter((replacement) => replacement.file === file)) {
    const parts = changed.split(find);
    if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times, not once: ${find}`);
    changed = parts.join(put);
  }
  return changed;
}
