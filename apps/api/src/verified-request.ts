/** What a handler gets: a request that was verified and parsed, typed by the route table. */
import type { BodyOf, DataOf, DeviceId, endpoints, Operation, QueryOf } from '@kurir/contracts';
import type { Acting } from './acting.js';
import type { Api } from './api.js';
import type { Caller } from './verify-request.js';

export type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type Table = typeof endpoints;

export type ParamsOf<O extends Operation> = { readonly [N in ParameterNames<Table[O]['path']>]: string };

export type VerifiedRequest<O extends Operation> = {
  readonly id: string;
  readonly caller: Caller;
  /** As sent: it may name no device, or another account's. Null where the endpoint needs none. */
  readonly deviceId: Table[O]['device'] extends true ? DeviceId : null;
  readonly body: BodyOf<O>;
  readonly query: QueryOf<O>;
  readonly params: ParamsOf<O>;
  readonly idempotencyKey: string | null;
  /** A signal that is aborted when the caller goes away. */
  readonly callerGone: () => AbortSignal;
};

/** A key acts for itself, a person for the account that the session shows. */
export const actingFor = ({ accountId, keyId }: Caller): Acting => ({ accountId, actor: keyId });

export type Answer<O extends Operation> = {
  readonly data: DataOf<O>;
  /** The first answer again, to a request that was answered before. */
  readonly replayed?: boolean;
};

export type Handler<O extends Operation> = (request: VerifiedRequest<O>, api: Api) => Promise<Answer<O>>;
