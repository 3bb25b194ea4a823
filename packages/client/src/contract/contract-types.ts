/**
 * The types that the client takes from the contracts, with keys in camelCase.
 *
 * A declaration file names a named type, so the client's declarations would need the contracts and zod. The compiler
 * writes out the type of a value in full. So the types stand here as values that exist for the compiler only. Import
 * their types, never the values.
 */
import type { DataOf, ErrorCode, publicOperations, limits, PublicOperationName } from '@kurir/contracts';
import type { CamelCased } from './wire-case.js';

type Endpoints = typeof publicOperations;
type RouteField = 'method' | 'path' | 'device' | 'repeat';
type CallLimit = 'timestampMaxPastSeconds' | 'bulkMaxMessages' | 'suppressionsMax';

// Every schema names its input in the form of Standard Schema. So no schema library is needed to read it.
type InputOf<S> = S extends { '~standard': { types?: infer T } }
  ? CamelCased<NonNullable<T> extends { input: infer I } ? I : never>
  : never;

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type is all that it returns
declare function inFull<T>(): T;

export const answers = inFull<{ [O in PublicOperationName]: CamelCased<DataOf<O>> }>();
export const bodies = inFull<{ [O in PublicOperationName]: InputOf<Endpoints[O]['body']> }>();
export const queries = inFull<{ [O in PublicOperationName]: InputOf<Endpoints[O]['query']> }>();
export const routes = inFull<{ [O in PublicOperationName]: { [F in RouteField]: Endpoints[O][F] } }>();
export const errorCode = inFull<ErrorCode>();
export const callLimits = inFull<{ [L in CallLimit]: (typeof limits)[L] }>();
