/**
 * Signs cookies and links anew that carry the signature of an earlier secret. better-auth accepts only signatures of its
 * first secret. So a change of the master key signs nobody out, and a mailed link goes on working.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isSignedCookie } from './cookie-names.js';
import type { SignInSecrets } from './sign-in-secret.js';

type Encoding = 'base64' | 'base64url';

const macOf = (secret: string, text: string, encoding: Encoding) =>
  createHmac('sha256', secret).update(text).digest(encoding);

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** `signed` is a text, a dot and its signature. Returns it unchanged unless an earlier secret signed it. */
function signAnew(signed: string, secrets: SignInSecrets, encoding: Encoding): string {
  const [first, ...earlier] = secrets;
  const dot = signed.lastIndexOf('.');
  const [text, signature] = [signed.slice(0, dot), signed.slice(dot + 1)];
  if (first === undefined || dot < 1) return signed;
  const isEarlier = earlier.some(({ value }) => isEqual(macOf(value, text, encoding), signature));
  return isEarlier ? `${text}.${macOf(first.value, text, encoding)}` : signed;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // Not ours: better-auth encodes what it sets.
    return value;
  }
}

/** The `Cookie` header with our signed cookies under the first secret. */
export function signCookiesAnew(header: string, secrets: SignInSecrets): string {
  if (secrets.length < 2) return header;
  return header
    .split(';')
    .map((cookie) => {
      const at = cookie.indexOf('=');
      const [name, value] = [cookie.slice(0, at), decoded(cookie.slice(at + 1).trim())];
      if (at < 0 || !isSignedCookie(name.trim())) return cookie;
      const anew = signAnew(value, secrets, 'base64');
      return anew === value ? cookie : `${name}=${encodeURIComponent(anew)}`;
    })
    .join(';');
}

/** The address with its `token`, a JSON web token of a mailed link, under the first secret. */
export function signLinkAnew(url: URL, secrets: SignInSecrets): URL {
  const token = url.searchParams.get('token');
  if (token === null || secrets.length < 2) return url;
  const anew = signAnew(token, secrets, 'base64url');
  if (anew === token) return url;
  const changed = new URL(url);
  changed.searchParams.set('token', anew);
  return changed;
}
