/** Counts an ended request for the metrics. */
import type { ErrorCode } from '@kurir/contracts';
import type { OperationName } from '@kurir/contracts/dashboard';
import { metrics, type RequestGroup, type StatusClass } from '@kurir/metrics';

type Asked = {
  /** Null: the request names no operation. */
  readonly operation: OperationName | null;
  readonly isPerson: boolean;
  readonly isStream: boolean;
  readonly code: ErrorCode | null;
};

/** `status` is null if the caller went away. */
type Ended = { readonly status: number | null; readonly durationMs: number };

const acceptsMessages: ReadonlySet<OperationName | null> = new Set(['sendMessage', 'sendBulk']);

function groupOf({ operation, isPerson }: Asked): RequestGroup {
  if (operation === null) return 'other';
  if (isPerson) return 'person';
  return acceptsMessages.has(operation) ? 'send' : 'key';
}

function classOf(status: number | null): StatusClass {
  if (status === null) return 'aborted';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}

export function measureRequest(asked: Asked, { status, durationMs }: Ended): void {
  metrics.requests.add({ operation: asked.operation ?? 'none', status: classOf(status) });
  if (asked.code !== null) metrics.requestErrors.add({ code: asked.code });
  if (!asked.isStream) metrics.requestSeconds.observe({ group: groupOf(asked) }, durationMs / 1_000);
}
