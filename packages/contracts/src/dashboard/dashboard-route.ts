/** What a route of the dashboard's own HTTP interface is. Its tables stand beside this file, one per page. */
import type { z } from 'zod';
import type { Access } from '../access.js';
import type { ErrorCode } from '../errors.js';

export type DashboardRoute = {
  readonly method: 'GET' | 'POST';
  /** Under `/app/api`, with `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** A person with two-factor sign-in must have given a code within the last ten minutes (`confirmSession`). */
  readonly confirmed?: true;
  readonly body: z.ZodType | null;
  readonly query: z.ZodType | null;
  /** JSON in the envelope; a file as it is; or a stream of events. */
  readonly answers?: 'file' | 'events';
  readonly data: z.ZodType;
  /** The envelope's `message` on success. */
  readonly message: string;
  /** Refusals beyond those of `dashboardErrors` and `changeErrors`. */
  readonly errors: readonly ErrorCode[];
};

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
