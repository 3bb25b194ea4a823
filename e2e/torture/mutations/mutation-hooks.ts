/** Node's module hooks. They apply a mutation to the modules of a program while Node loads them. */
import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moduleChange, noteApplied } from '../records/mutation-log.js';
import { applyMutation } from './apply-mutation.js';
import { findMutation, type Mutation } from './mutations.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let mutation: Mutation | null = null;
let log = '';

export const initialize: InitializeHook<{ mutant: string; log: string }> = (data) => {
  mutation = findMutation(data.mutant);
  log = data.log;
};

export const resolve: ResolveHook = (specifier, context, next) => {
  const other = mutation?.modules[specifier];
  if (other === undefined) return next(specifier, context);
  noteApplied(log, moduleChange(specifier));
  return next(other, { ...context, parentURL: import.meta.url });
};

export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  if (mutation === null || loaded.format !== 'module' || !url.startsWith('file:')) return loaded;
  const file = relative(root, fileURLToPath(url));
  if (!mutation.replacements.some((replacement) => replacement.file === file)) return loaded;
  // Node loads modules as bytes.
  const source = Buffer.from(loaded.source as Uint8Array).toString('utf8');
  const changed = applyMutation(mutation, file, source);
  noteApplied(log, file);
  return { ...loaded, source: changed };
};
