/**
 * What the client takes from the contracts, with keys in camelCase. A declaration file repeats the name of a named type,
 * so the client's would need the contracts and zod. The type of a value it writes out in full. So these are values that
 * only the compiler sees: import their types, never them.
 */
import type { DataOf, ErrorCode, endpoints, limits, Operation } from '@kurir/contracts';
import type { CamelCased } from './wire-case.js';

type Endpoints = typeof endpoints;
type RouteField = 'method' | 'path' | 'device' | 'repeat';
type CallLimit = 'timestampMaxPastSeconds' | 'bulkMaxMessages';

// Every schema names its input in the form that Standard Schema gives it; no schema library is needed to read it.
type InputOf<S> = S extends { '~standard': { types?: infer T } }
  ? CamelCased<NonNullable<T> extends { input: infer I } ? I : never>
  : never;

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type is all that it returns
declare function inFull<T>(): T;

export const answers = inFull<{ [O in Operation]: CamelCased<DataOf<O>> }>();
export const bodies = inFull<{ [O in Operation]: InputOf<Endpoints[O]['body']> }>();
export const queries = inFull<{ [O in Operation]: InputOf<Endpoints[O]['query']> }>();
export const routes = inFull<{ [O in Operation]: { [F in RouteField]: Endpoints[O][F] } }>();
export const errorCode = inFull<ErrorCode>();
export const callLimits = inFull<{ [L in CallLimit]: (typeof limits)[L] }>();
