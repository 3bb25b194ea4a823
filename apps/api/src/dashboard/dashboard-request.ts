/** What a handler of the dashboard gets and gives, typed by its route table. */
import type {
  DashboardBody,
  DashboardData,
  DashboardQuery,
  OwnDashboardOperation,
  ownDashboardRoutes,
} from '@kurir/contracts/dashboard';
import type { Api } from '../api.js';
import type { StreamedAnswer } from '../exchange.js';
import type { ParameterNames } from '../verified-request.js';
import type { Visitor } from './visitor.js';

type Table = typeof ownDashboardRoutes;

export type DashboardRequest<O extends OwnDashboardOperation> = {
  readonly id: string;
  /** Null where anybody may ask. */
  readonly visitor: Table[O]['access'] extends 'anyone' ? null : Visitor;
  readonly body: DashboardBody<O>;
  readonly query: DashboardQuery<O>;
  readonly params: { readonly [N in ParameterNames<Table[O]['path']>]: string };
  /** As better-auth reads them, for what concerns the session itself. */
  readonly headers: Headers;
  /** The Last-Event-ID header, or null. */
  readonly lastEventId: string | null;
  /** A signal that is aborted when the caller goes away. */
  readonly callerGone: () => AbortSignal;
};

/** Files and streams are written by their handler. */
export type DashboardHandler<O extends OwnDashboardOperation> = Table[O] extends { answers: string }
  ? (request: DashboardRequest<O>, api: Api, streamed: StreamedAnswer) => Promise<void>
  : (request: DashboardRequest<O>, api: Api) => Promise<DashboardData<O>>;
