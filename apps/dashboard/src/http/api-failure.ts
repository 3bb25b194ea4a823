import type { ErrorCode, ErrorEnvelope, FieldFault } from '@kurir/contracts/dashboard';

/** `OFFLINE`: no answer came. `UNREADABLE`: an answer came that is not an envelope. */
export type FailureCode = ErrorCode | 'OFFLINE' | 'UNREADABLE';

type ApiFailureOptions = ErrorOptions & { fault?: FieldFault | null };

/** A request that failed. Its message is the gateway's own sentence, for programs: pages show `failureTexts`. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly code: FailureCode;
  readonly requestId: string | null;
  /** The wrong field, if the gateway named one. */
  readonly fault: FieldFault | null;

  constructor(code: FailureCode, sentence: string, requestId: string | null, options: ApiFailureOptions = {}) {
    super(sentence, options);
    this.code = code;
    this.requestId = requestId;
    this.fault = options.fault ?? null;
  }
}

/**
 * Whether the session is over. Programs may call some operations too. These ask for a key if the request has neither a
 * cookie nor a header that shows its page. Over plain http some browsers send no such header.
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
