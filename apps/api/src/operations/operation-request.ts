/** The input and the result of a handler. The route table gives their types. */
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

/** Null if the operation has no caller. */
type CallerOf<O extends OperationName> = Table[O] extends { access: 'anyone' }
  ? null
  : Table[O] extends { scope: Scope }
    ? Table[O] extends { access: null }
      ? KeyCaller
      : Caller
    : PersonCaller;

/** Makes the row of the audit log for one of the operation's actions. */
type AuditAs<O extends OperationName> = Table[O]['audit'] extends {
  whose: infer Whose;
  actions: readonly (infer Action extends AuditAction)[];
}
  ? (action: Action) => Whose extends 'all' ? Audit : Audit | undefined
  : null;

export type OperationRequest<O extends OperationName> = {
  readonly id: string;
  /** The span of the request, for spans below it. Null: it is not traced. */
  readonly traceparent: string | null;
  readonly caller: CallerOf<O>;
  /**
   * Makes the data of an audit row, which the handler gives to the write that it audits. Returns undefined for a key if
   * only people are audited. Null if the route table audits nothing.
   */
  readonly auditAs: AuditAs<O>;
  /** As sent: the account may have no such device. Null if the operation needs no device. */
  readonly deviceId: Table[O] extends { device: true } ? DeviceId : null;
  readonly body: OperationBody<O>;
  readonly query: OperationQuery<O>;
  readonly params: ParamsOf<O>;
  readonly idempotencyKey: string | null;
  /** Set if the caller asks for a stream (`Accept: text/event-stream`). Null for operations without one. */
  readonly stream: Table[O] extends { streams: true } ? StreamWish | null : null;
  /** A signal that is aborted when the caller goes away, or when its key is revoked. The reason is then the refusal. */
  readonly callerGone: () => AbortSignal;
};

export type StreamWish = {
  /** The header Last-Event-ID: the last event that the caller saw. */
  readonly lastEventId: string | null;
};

/** The first answer to a request that was repeated. */
export class Replayed<Data> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }
}

/**
 * A handler of a file or a stream writes its own answer. Any other handler returns the data of the envelope. One whose
 * entry has `streams` does either; after a stream it returns undefined.
 */
export type Handler<O extends OperationName> = Table[O] extends { answers: string }
  ? (request: OperationRequest<O>, api: Api, streamed: StreamedAnswer) => Promise<void>
  : Table[O] extends { streams: true }
    ? (request: OperationRequest<O>, api: Api, streamed: StreamedAnswer) => Promise<OperationData<O> | undefined>
    : (request: OperationRequest<O>, api: Api) => Promise<OperationData<O> | Replayed<OperationData<O>>>;
