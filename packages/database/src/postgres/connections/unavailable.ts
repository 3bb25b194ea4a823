/** Tells errors of a connection from refusals of a statement. */
import { constants } from 'node:os';
import pg from 'pg';

/** Looks like a refused connection, because Prisma passes on only such errors of a connection. */
export class ReadOnlyDatabase extends Error {
  override readonly name = 'ReadOnlyDatabase';
  readonly code = 'ECONNREFUSED';
  readonly syscall = 'connect';
  readonly errno = -constants.errno.ECONNREFUSED;

  constructor() {
    super('the database is read-only: it may be a standby');
  }
}

/**
 * Class 57: shutting down or starting up. Class 53: out of connections or disk. Class 08: connection. 25P03: the
 * transaction was idle for too long, and its connection is closed. 25006: the session may only read.
 */
const unavailableState = /^(57P|53|08|25P03|25006)/;
/** Codes of the system and of Prisma: cannot reach, timed out, connection closed, no free connection, too many connections. */
const unreachable = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_|P(1001|1002|1008|1011|1017|2024|2037)$)/;
/** Codes of Node for a certificate that it does not trust. Without TLS, Postgres has no code. */
const untrusted = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/;
const withoutTls = 'The server does not support SSL connections';
const unreachableMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)|Query read timeout$/;
const unreachableKinds: ReadonlySet<string | undefined> = new Set(['DatabaseNotReachable', 'TlsConnectionError']);

/** The cause that Prisma's adapter names for an error. A raw query has only this, and the code P2010. */
function adapterCause(error: Error): { kind?: string; originalCode?: string } {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: object } } };
  return meta?.driverAdapterError?.cause ?? {};
}

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** pg reads the files of certificates when it connects. */
const isAboutFile = (error: Error) => 'syscall' in error && error.syscall === 'open';

/** Returns true if no connection was made because of TLS: a certificate, a file of one, or a server without TLS. */
export function isTlsFault(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return untrusted.test(codeOf(error)) || isAboutFile(error) || error.message === withoutTls;
}

/** Returns true if Postgres could not be reached, or may only be read. Returns false if it refused the statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) return unavailableState.test(code);
  const { kind, originalCode = '' } = adapterCause(error);
  return (
    unreachable.test(code) ||
    unavailableState.test(originalCode) ||
    unreachableKinds.has(kind) ||
    unreachableMessage.test(error.message) ||
    isTlsFault(error)
  );
}
