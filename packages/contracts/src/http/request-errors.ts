/** Refusals that many operations share. */
import type { ErrorCode } from './errors.js';

/** What any signed endpoint can answer. */
export const commonErrors = [
  'MISSING_CREDENTIALS',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'TIMESTAMP_OUT_OF_RANGE',
  'KEY_NOT_ALLOWED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
] as const satisfies readonly ErrorCode[];

/** What any route that needs a session can answer. */
export const dashboardErrors = [
  'SESSION_REQUIRED',
  'ROLE_NOT_ALLOWED',
  'CROSS_SITE_REQUEST',
  'RATE_LIMITED',
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** What any route with a body can answer besides. */
export const bodyErrors = [
  'MALFORMED_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly ErrorCode[];
