/**
 * The names and attributes that a span may have. The list is closed: no number, text or secret gets into a trace by
 * accident. The traces page of docs explains them to operators.
 */

/** A request of the api is named after its method and route instead. */
export type SpanName =
  | 'accept message'
  | 'release message'
  | 'claim message'
  | 'send message'
  | 'receipt'
  | 'event'
  | 'POST webhook';

export type Attributes = {
  /** The id of a message. */
  readonly 'kurir.job_id'?: string;
  readonly 'kurir.device_id'?: string;
  readonly 'kurir.broadcast_id'?: string;
  readonly 'kurir.request_id'?: string;
  readonly 'kurir.operation'?: string;
  /** The id and the type of an event. */
  readonly 'kurir.event_id'?: string;
  readonly 'kurir.event_type'?: string;
  /** The status that a receipt reports. */
  readonly 'kurir.status'?: string;
  /** The number of the try, from 1. */
  readonly 'kurir.attempt'?: number;
  /** How a step went, in one word. */
  readonly 'kurir.result'?: string;
  readonly 'http.request.method'?: string;
  /** The pattern of the route. The address itself may hold a number or a token. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  /** The code of an error, which also marks the span as failed. */
  readonly 'error.type'?: string;
};
