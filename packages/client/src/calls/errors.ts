import type { Job } from '../contract/call-types.js';
import type { errorCode } from '../contract/contract-types.js';

/** The codes of the catalogue, and any code that a newer gateway adds. */
export type KurirErrorCode = typeof errorCode | (string & {});

type Refusal = {
  readonly code: KurirErrorCode;
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
};

/** The gateway refused. `message` is the gateway's sentence and says what to do next. */
export class KurirError extends Error {
  override readonly name = 'KurirError';
  readonly code: KurirErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** The `X-Request-Id` of the answer. Quote it when you ask for help. */
  readonly requestId: string | null;
  /** From `Retry-After`. Null if the gateway sent none. */
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

/**
 * The gateway did not answer: it is not reachable, the connection broke, the time ran out, or the answer is not its
 * JSON.
 */
export class KurirConnectionError extends Error {
  override readonly name = 'KurirConnectionError';
  /** False if the request certainly did not reach the gateway. */
  readonly mayHaveArrived: boolean;
  /** The HTTP status of an answer that is not the gateway's, such as a proxy's page. Null if there was no answer. */
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;

  constructor(message: string, noAnswer: NoAnswer) {
    super(message, { cause: noAnswer.cause });
    this.mayHaveArrived = noAnswer.mayHaveArrived;
    this.status = noAnswer.status ?? null;
    this.retryAfterSeconds = noAnswer.retryAfterSeconds ?? null;
  }
}

/** The call cannot be sent as it is: a wrong address, no device, no job id. Nothing left this machine. */
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

/** `waitForJob` ran out of time. The gateway goes on with the job. */
export class KurirWaitError extends Error {
  override readonly name = 'KurirWaitError';
  readonly jobId: string;
  /** The job as `waitForJob` last saw it. Null if no look-up succeeded. */
  readonly lastJob: Job | null;

  constructor({ jobId, until, timeoutMs, lastJob, cause }: WaitEnded) {
    const seen = lastJob === null ? 'it could not be looked up' : `it is ${lastJob.status}`;
    super(`${jobId} was not ${until} within ${timeoutMs} ms; ${seen}.`, { cause });
    this.jobId = jobId;
    this.lastJob = lastJob;
  }
}
