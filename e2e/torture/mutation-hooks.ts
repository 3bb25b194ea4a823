/** Node's module hooks: what a mutation replaces is replaced between the disk and the program. */
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyMutation } from './apply-mutation.js';
import { findMutation, type Mutation } from './mutations.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
let mutation: Mutation | null = null;

export const initialize: InitializeHook<{ mutant: string }> = ({ mutant }) => {
  mutation = findMutation(mutant);
};

export const resolve: ResolveHook = (specifier, context, next) => {
  const other = mutation?.modules[specifier];
  return other === undefined ? next(specifier, context) : next(other, { ...context, parentURL: import.meta.url });
};

export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  if (mutation === null || loaded.format !== 'module' || !url.startsWith('file:')) return loaded;
  const file = relative(root, fileURLToPath(url));
  if (!mutation.replacements.some((replacement) => replacement.file === file)) return loaded;
  // Node reads modules as bytes.
  const source = Buffer.from(loaded.source as Uint8Array).toString('utf8');
  return { ...loaded, source: applyMutation(mutation, file, source) };
};
