/**
 * Puts a refusal of better-auth into our envelope. A code of better-auth stays, because the pages use it. Without a
 * code, the status decides.
 */
import type { ErrorCode } from '@kurir/contracts';
import { z } from 'zod';

const refusalBody = z.object({ code: z.string().min(1).optional(), message: z.string().min(1).optional() });

const codeOf = (status: number): ErrorCode => {
  if (status === 503) return 'SERVICE_UNAVAILABLE';
  if (status >= 500) return 'INTERNAL_ERROR';
  if (status === 401) return 'SESSION_REQUIRED';
  if (status === 404) return 'NOT_FOUND';
  if (status === 405) return 'METHOD_NOT_ALLOWED';
  if (status === 415) return 'UNSUPPORTED_MEDIA_TYPE';
  return status === 429 ? 'RATE_LIMITED' : 'INVALID_REQUEST';
};

const sentences: Partial<Record<ErrorCode, string>> = {
  INTERNAL_ERROR: 'Something failed on our side. Try again. If it fails again, send us the X-Request-Id.',
  SESSION_REQUIRED: 'Nobody is signed in here. Sign in, then try again.',
  NOT_FOUND: 'There is nothing at this path. Use the dashboard’s own pages.',
  SERVICE_UNAVAILABLE: 'Too many people are signing in at this moment. Try again in some seconds.',
  RATE_LIMITED: 'Too many tries. Wait for as long as Retry-After says.',
};

/** Codes that only repeat the status. Ours say more. */
const bareCodes: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'TOO_MANY_REQUESTS', 'INTERNAL_SERVER_ERROR']);

function parse(text: string): z.output<typeof refusalBody> {
  try {
    const parsed = refusalBody.safeParse(JSON.parse(text)).data ?? {};
    return parsed.code !== undefined && bareCodes.has(parsed.code) ? {} : parsed;
  } catch {
    // The answer is empty or not JSON. Only the status counts.
    return {};
  }
}

/** Returns the body of a refusal. A 5xx does not repeat the text of better-auth. */
export function refusalEnvelope(status: number, text: string): string {
  const { code, message } = status >= 500 ? {} : parse(text);
  const known = codeOf(status);
  const error = message ?? sentences[known] ?? 'The request was refused. Check its fields, then try again.';
  return JSON.stringify({ success: false, code: code ?? known, error });
}
