/**
 * Calls an operation of the contract's route table. Every request of a page to these routes goes through this file.
 * The session is a cookie; this code never sees a secret.
 */
import type {
  DashboardBodyInput,
  DashboardData,
  OperationNameForPeople,
  DashboardQueryInput,
  operationsForPeople,
} from '@kurir/contracts/dashboard';
import { invalidFieldHeader, readFault } from '@kurir/contracts/dashboard';
import { routes } from '#routes';
import { ApiFailure, isErrorEnvelope } from './api-failure.js';

type Table = typeof operationsForPeople;
type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type Part<Name extends string, Value> = [Value] extends [never] | [null] ? unknown : { readonly [N in Name]: Value };

/** The input of an operation: `deviceId`, `params`, `query` and `body`, each only if the route has it. */
export type Given<O extends OperationNameForPeople> = Part<
  'params',
  ParamNames<Table[O]['path']> extends never ? never : { readonly [N in ParamNames<Table[O]['path']>]: string }
> &
  Part<'deviceId', Table[O] extends { readonly device: true } ? string : never> &
  Part<'body', DashboardBodyInput<O>> &
  (Table[O]['query'] extends null ? unknown : { readonly query?: DashboardQueryInput<O> });

type Loose = {
  readonly deviceId?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

export function addressOf(operation: OperationNameForPeople, { params = {}, query = {} }: Loose): string {
  const path = routes[operation][1].replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) search.set(name, `${value}`);
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

async function ask(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiFailure('OFFLINE', 'The gateway did not answer. Check the connection, then try again.', null, {
      cause,
    });
  }
}

async function readAnswer(response: Response): Promise<unknown> {
  const requestId = response.headers.get('X-Request-Id');
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && typeof answer === 'object' && answer !== null && 'data' in answer) return answer.data;
  if (isErrorEnvelope(answer)) {
    const fault = readFault(response.headers.get(invalidFieldHeader));
    throw new ApiFailure(answer.code, answer.error, requestId, { fault });
  }
  throw new ApiFailure('UNREADABLE', `The gateway answered ${response.status} without a reason.`, requestId);
}

/** Resolves with the envelope's `data`. Rejects with an `ApiFailure` that has the gateway's sentence. */
export async function call<O extends OperationNameForPeople>(
  operation: O,
  given: Given<O>,
  signal?: AbortSignal,
): Promise<DashboardData<O>> {
  const loose = given as Loose; // every `Given` has this shape, but the conditional type hides it
  const [method] = routes[operation];
  const response = await ask(addressOf(operation, loose), {
    method,
    headers: {
      ...(loose.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(loose.deviceId === undefined ? {} : { 'X-Device-Id': loose.deviceId }),
    },
    ...(loose.body === undefined ? {} : { body: JSON.stringify(loose.body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  // No check at run time: the gateway's tests check its answers against the same schemas.
  return (await readAnswer(response)) as DashboardData<O>;
}
