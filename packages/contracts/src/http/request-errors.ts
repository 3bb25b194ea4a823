/** The refusals that many operations share. */
import type { ErrorCode } from './errors.js';

/** Every signed operation can refuse with these. */
export const commonErrors = [
  'MISSING_CREDENTIALS',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'TIMESTAMP_OUT_OF_RANGE',
  'KEY_NOT_ALLOWED',
  'ACCOUNT_SUSPENDED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const satisfies readonly ErrorCode[];

/** Every operation of the dashboard that needs a session can refuse with these. */
export const dashboardErrors = [
  'SESSION_REQUIRED',
  'ROLE_NOT_ALLOWED',
  'ACCOUNT_SUSPENDED',
  'CROSS_SITE_REQUEST',
  'MISDIRECTED_REQUEST',
  'RATE_LIMITED',
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** An operation of the dashboard with a body can refuse with these, too. */
export const bodyErrors = [
  'MALFORMED_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly ErrorCode[];
