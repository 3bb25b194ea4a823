/** Passes requests under /app/api/auth to better-auth, as a fetch `Request`. The body has a limit. */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response as ExpressResponse } from 'express';
import { addressOf } from '../http/callers/caller-address.js';
import type { Ground } from '../http/ground.js';
import { parseJson, requireJson } from '../http/body/parse-json.js';
import { readSmallBody } from '../http/body/read-body.js';
import { networkOf } from '../http/callers/network-of.js';
import { clientIpHeader } from './guards/caller-network.js';
import { ownLocation, requireOwnRedirects } from './own-redirects.js';
import { refusalEnvelope } from './refusal-envelope.js';
import { signCookiesAnew, signLinkAnew } from './sign-anew.js';
import type { SignInResources } from './sign-in-resources.js';
import type { SignInSecrets } from './sign-in-secret.js';

const maxBodyBytes = 64 * 1024;

/** Returns the headers of a request as better-auth reads them, with the caller's address. */
export function authHeaders(req: IncomingMessage, ip: string | undefined, secrets: SignInSecrets): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (name === clientIpHeader || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one);
  }
  const cookie = headers.get('cookie');
  if (cookie !== null) headers.set('cookie', signCookiesAnew(cookie, secrets));
  if (ip !== undefined) headers.set(clientIpHeader, ip);
  return headers;
}

const deletes = /;\s*max-age=0(;|$)/i;

async function answerWith(res: ExpressResponse, answer: Response, publicUrl: string): Promise<void> {
  const reads = res.req.method === 'GET';
  const isRefusal = answer.status >= 400;
  const sent = Buffer.from(await answer.arrayBuffer());
  const body = isRefusal ? Buffer.from(refusalEnvelope(answer.status, sent.toString('utf8'))) : sent;
  answer.headers.forEach((value, name) => {
    if (name !== 'set-cookie' && name !== 'content-length') res.setHeader(name, value);
  });
  const location = answer.headers.get('Location');
  if (location !== null) res.setHeader('Location', ownLocation(location, publicUrl));
  // A page that reads may still send the cookie of a session that another request has just replaced.
  const cookies = answer.headers.getSetCookie().filter((line) => !(reads && deletes.test(line)));
  if (cookies.length > 0) res.setHeader('Set-Cookie', cookies);
  if (isRefusal) res.setHeader('Content-Type', 'application/json; charset=utf-8');
  const retryAfter = answer.headers.get('X-Retry-After');
  if (retryAfter !== null) res.setHeader('Retry-After', retryAfter);
  res.setHeader('Cache-Control', 'no-store');
  res.writeHead(answer.status, { 'Content-Length': body.length });
  res.end(body);
}

export function serveSignIn(resources: Ground & SignInResources): RequestHandler {
  const { signIn, signInSecrets, addresses, bodies, trustedProxies } = resources;
  return async (req, res) => {
    const ip = addressOf(req, trustedProxies);
    const raw = await readSmallBody(req, maxBodyBytes, { bodies, caller: networkOf(ip) });
    const hasBody = req.method !== 'GET' && req.method !== 'HEAD' && raw.length > 0;
    const publicUrl = addresses.publicUrl();
    const url = new URL(req.originalUrl, publicUrl);
    // better-auth reads forms and other JSON than we do, so that nothing but plain JSON may reach it.
    if (hasBody) requireJson(req.headers['content-type']);
    requireOwnRedirects(url, hasBody ? parseJson(raw) : null);
    const request = new Request(signLinkAnew(url, signInSecrets), {
      method: req.method,
      headers: authHeaders(req, ip, signInSecrets),
      ...(hasBody ? { body: new Uint8Array(raw) } : {}),
    });
    await answerWith(res, await signIn().handler(request), publicUrl);
  };
}
