import type { Job } from '../contract/call-types.js';
import type { errorCode } from '../contract/contract-types.js';

/** The catalogue's codes, and any code that a newer gateway may add. */
export type KurirErrorCode = typeof errorCode | (string & {});

type Refusal = {
  readonly code: KurirErrorCode;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
};

/** The gateway refused. `message` is its sentence that says what to do next. */
export class KurirError extends Error {
  override readonly name = 'KurirError';
  readonly code: KurirErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** `X-Request-Id` of the answer: name it when you ask for help. */
  readonly requestId: string | null;
  /** From `Retry-After`, when the gateway gave one. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.code = refusal.code;
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

type NoAnswer = {
  readonly mayHaveArrived: boolean;
  readonly status?: number | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
};

/** No answer of the gateway: not reachable, cut off, too late, or what came was not its JSON. */
export class KurirConnectionError extends Error {
  override readonly name = 'KurirConnectionError';
  /** False when the request surely did not reach a gateway: nothing happened there. */
  readonly mayHaveArrived: boolean;
  /** HTTP status of an answer that was not the gateway's (a proxy's page); null when there was none. */
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(message: string, noAnswer: NoAnswer) {
    super(message, { cause: noAnswer.cause });
    this.mayHaveArrived = noAnswer.mayHaveArrived;
    this.status = noAnswer.status ?? null;
    this.retryAfterSeconds = noAnswer.retryAfterSeconds ?? null;
  }
}

/** The call could not be sent as it is: a wrong address, no device, no job id. Nothing left this machine. */
export class KurirUsageError extends TypeError {
  override readonly name = 'KurirUsageError';
}

type WaitEnded = {
  readonly jobId: string;
  readonly until: string;
  readonly timeoutMs: number;
  readonly lastJob: Job | null;
  readonly cause: unknown;
};

/** `waitForJob` ran out of time. The job goes on without being watched. */
export class KurirWaitError extends Error {
  override readonly name = 'KurirWaitError';
  readonly jobId: string;
  /** As it was last seen; null when no look-up was answered. */
  readonly lastJob: Job | null;

  constructor({ jobId, until, timeoutMs, lastJob, cause }: WaitEnded) {
    const seen = lastJob === null ? 'it could not be looked up' : `it is ${lastJob.status}`;
    super(`${jobId} was not ${until} within ${timeoutMs} ms; ${seen}.`, { cause });
    this.jobId = jobId;
    this.lastJob = lastJob;
  }
}
