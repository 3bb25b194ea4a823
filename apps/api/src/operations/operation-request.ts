/** What a handler gets and returns, typed by the route table: who asks, and what was parsed of the request. */
import type { AuditAction, DeviceId, Scope } from '@kurir/contracts';
import type {
  OperationBody,
  OperationData,
  OperationName,
  OperationQuery,
  routeTable,
} from '@kurir/contracts/dashboard';
import type { Audit } from '@kurir/database';
import type { Api } from './api.js';
import type { PersonCaller } from '../sign-in/person-caller.js';
import type { KeyCaller } from '../signatures/key-caller.js';
import type { Caller } from './caller.js';
import type { StreamedAnswer } from '../http/exchange.js';

type Table = typeof routeTable;

export type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type ParamsOf<O extends OperationName> = { readonly [N in ParameterNames<Table[O]['path']>]: string };

/** Null where anybody may ask. */
type CallerOf<O extends OperationName> = Table[O] extends { access: 'anyone' }
  ? null
  : Table[O] extends { scope: Scope }
    ? Table[O] extends { access: null }
      ? KeyCaller
      : Caller
    : PersonCaller;

/** The row of the audit log that one of the operation's own actions makes. */
type AuditAs<O extends OperationName> = Table[O]['audit'] extends {
  whose: infer Whose;
  actions: readonly (infer Action extends AuditAction)[];
}
  ? (action: Action) => Whose extends 'all' ? Audit : Audit | undefined
  : null;

export type OperationRequest<O extends OperationName> = {
  readonly id: string;
  readonly caller: CallerOf<O>;
  /** Undefined where a key asks and only what people do is audited; null where the table says that nothing is. */
  readonly auditAs: AuditAs<O>;
  /** As sent: it may name no device, or another account's. Null where the operation needs none. */
  readonly deviceId: Table[O] extends { device: true } ? DeviceId : null;
  readonly body: OperationBody<O>;
  readonly query: OperationQuery<O>;
  readonly params: ParamsOf<O>;
  readonly idempotencyKey: string | null;
  /** A signal that is aborted when the caller goes away. */
  readonly callerGone: () => AbortSignal;
};

/** The first answer again, to a request that was answered before. */
export class Replayed<Data> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }
}

/** Files and streams are written by their handler; anything else is what the envelope carries. */
export type Handler<O extends OperationName> = Table[O] extends { answers: string }
  ? (request: OperationRequest<O>, api: Api, streamed: StreamedAnswer) => Promise<void>
  : (request: OperationRequest<O>, api: Api) => Promise<OperationData<O> | Replayed<OperationData<O>>>;
