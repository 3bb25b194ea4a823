/** Refuses what a passkey signed for another site. better-auth would call it a failure of ours. */
import { APIError } from 'better-auth/api';
import { z } from 'zod';

const paths: ReadonlySet<string | undefined> = new Set([
  '/passkey/verify-registration',
  '/passkey/verify-authentication',
]);

const signed = z.object({ response: z.object({ response: z.object({ clientDataJSON: z.string() }) }) });
const clientData = z.object({ origin: z.string() });

function originOf(body: unknown): string | null {
  try {
    const { clientDataJSON } = signed.parse(body).response.response;
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))).origin;
  } catch {
    // It is not what a browser sends. The refusal is the same.
    return null;
  }
}

/** Throws 400 if the route takes the answer of a passkey, and this one is not for one of the origins. */
export function requireOwnOrigin(path: string | undefined, body: unknown, origins: readonly string[]): void {
  if (!paths.has(path)) return;
  const origin = originOf(body);
  if (origin !== null && origins.includes(origin)) return;
  const message = 'The passkey did not answer for this site. Open the dashboard at its own address, then try again.';
  throw new APIError('BAD_REQUEST', { code: 'PASSKEY_WRONG_ORIGIN', message });
}
