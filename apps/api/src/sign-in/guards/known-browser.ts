/**
 * Recognizes browsers in which a person has signed in before. Strangers cannot make such a browser wait for their
 * guesses, and a sign-in from any other browser is mailed to the person. Each person who signs in gets a token of their
 * own, so that nobody can plant one. The cookie holds the newest tokens of the browser.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { GenericEndpointContext } from '@better-auth/core';
import type { UserId } from '@kurir/contracts';
import { type Database, findKnownBrowser, rememberBrowser } from '@kurir/database';

const cookieName = 'known_browser';
const maxAge = 180 * 24 * 3_600;
const maxTokens = 5;
const token = /^[\w-]{22}$/;

const hashOf = (text: string) => createHash('sha256').update(text, 'utf8').digest('base64url');

async function readTokens(ctx: GenericEndpointContext): Promise<string[]> {
  const { name } = ctx.context.createAuthCookie(cookieName);
  const value = await ctx.getSignedCookie(name, ctx.context.secret);
  return typeof value === 'string'
    ? value
        .split('.')
        .filter((one) => token.test(one))
        .slice(0, maxTokens)
    : [];
}

/** Returns the hash of the token that this browser has of the person with the address, or null. */
export async function knownBrowser(
  database: Database,
  ctx: GenericEndpointContext,
  email: string,
): Promise<string | null> {
  const tokens = await readTokens(ctx);
  return tokens.length === 0 ? null : findKnownBrowser(database, email, tokens.map(hashOf));
}

/** Remembers the browser of a new session. Returns whether it was known before. */
export async function keepBrowser(
  database: Database,
  ctx: GenericEndpointContext,
  user: { readonly id: string; readonly email: string },
): Promise<boolean> {
  const tokens = await readTokens(ctx);
  const known = await knownBrowser(database, ctx, user.email);
  const own = tokens.find((one) => hashOf(one) === known) ?? randomBytes(16).toString('base64url');
  // Only newId('usr') makes the ids of people.
  await rememberBrowser(database, user.id as UserId, hashOf(own));
  const kept = [own, ...tokens.filter((one) => one !== own)].slice(0, maxTokens);
  const { name, attributes } = ctx.context.createAuthCookie(cookieName, { maxAge });
  await ctx.setSignedCookie(name, kept.join('.'), ctx.context.secret, attributes);
  return known !== null;
}
