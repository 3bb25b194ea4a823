/** Says why the form cannot send what was typed, or returns null. */
import type { Credentials, Request } from './send-request.js';

export function faultOf({ target, body }: Request, { apiKey, apiSecret }: Credentials): string | null {
  if (globalThis.crypto?.subtle === undefined)
    return 'The browser signs only on pages over https or at localhost. Open this page there.';
  if (!/^kk_test_\w+$/.test(apiKey)) return 'Give a test key, kk_test_…. This form takes no live key.';
  if (!/^ks_test_\w+$/.test(apiSecret)) return 'Give the secret of the test key, ks_test_….';
  if (!/^\/api\/v1\/[!-~]*$/.test(target)) return 'The path begins with /api/v1/ and has no spaces.';
  if (body === null) return null;
  try {
    JSON.parse(body);
    return null;
  } catch {
    return 'The body is not valid JSON.';
  }
}
