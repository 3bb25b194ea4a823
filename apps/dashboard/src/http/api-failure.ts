/** What the gateway says of a failure, as it says it. */
import type { ErrorCode, ErrorEnvelope } from '@kurir/contracts/dashboard';

/** `OFFLINE`: no answer came at all. */
export type FailureCode = ErrorCode | 'OFFLINE' | 'UNREADABLE';

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly code: FailureCode;
  readonly requestId: string | null;

  constructor(code: FailureCode, sentence: string, requestId: string | null, options?: ErrorOptions) {
    super(sentence, options);
    this.code = code;
    this.requestId = requestId;
  }
}

/**
 * Whether the session is over. Some operations are for programs, too: they ask for a key if the request shows neither a cookie
 * nor that it comes from a page. Over plain http some browsers show nothing.
 */
export const isSignedOut = (failure: unknown): boolean =>
  failure instanceof ApiFailure && (failure.code === 'SESSION_REQUIRED' || failure.code === 'MISSING_CREDENTIALS');

export function isErrorEnvelope(value: unknown): value is ErrorEnvelope {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'error' in value &&
    typeof value.error === 'string'
  );
}
