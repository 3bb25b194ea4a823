/** What operations that only people use can refuse, whichever they are. */
import type { ErrorCode } from '../errors.js';

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
