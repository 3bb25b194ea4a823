/** Reads the errors of Node's fetch. Its own message says only `fetch failed`. */

// No bytes of a request leave before these system calls have succeeded.
const beforeSending = new Set(['connect', 'getaddrinfo']);

type SystemFailure = { readonly code?: unknown; readonly syscall?: unknown };

/** The failures at the root. A name with two addresses fails once for each address. */
function rootFailures(error: unknown): Error[] {
  if (error instanceof AggregateError) return error.errors.flatMap(rootFailures);
  if (!(error instanceof Error)) return [];
  return error.cause instanceof Error ? rootFailures(error.cause) : [error];
}

function isBeforeSending(failure: Error & SystemFailure): boolean {
  return failure.code === 'UND_ERR_CONNECT_TIMEOUT' || beforeSending.has(String(failure.syscall));
}

/** True if the request certainly did not arrive, because there was never a connection. */
export function isConnectFailure(error: unknown): boolean {
  const failures = rootFailures(error);
  return failures.length > 0 && failures.every(isBeforeSending);
}

/** A text for people, like `connect ECONNREFUSED 127.0.0.1:3000`. */
export function reasonOf(error: unknown): string {
  const reasons = rootFailures(error).map((failure: Error & SystemFailure) => failure.message || String(failure.code));
  return reasons.length > 0 ? [...new Set(reasons)].join('; ') : String(error);
}
