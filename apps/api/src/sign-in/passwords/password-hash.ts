/**
 * Hashes passwords with argon2id at OWASP's minimum cost. Few run at once, so that a flood of sign-ins leaves a core
 * and most of the memory free. Few wait, so that the answer comes while the person still looks at the page.
 */
import { hash, verify } from '@node-rs/argon2';
import { APIError } from 'better-auth/api';

/** argon2id is the default of the library. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const maxAtOnce = 2;
const maxWaiting = 50;
const retryAfterSeconds = 2;

let running = 0;
const waiting: (() => void)[] = [];

function refuse(): never {
  const message = 'Too many people are signing in at this moment. Try again in some seconds.';
  const retry = { 'X-Retry-After': String(retryAfterSeconds) };
  throw new APIError('SERVICE_UNAVAILABLE', { code: 'SERVICE_UNAVAILABLE', message }, retry);
}

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running < maxAtOnce) running++;
  else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
  else refuse();
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The slot goes directly to the oldest waiting call, so `running` stays the same.
    if (next === undefined) running--;
    else next();
  }
}

/** Rejects with 503 if too many calls wait. `verifyPassword` does the same. */
export const hashPassword = (password: string): Promise<string> => withSlot(() => hash(password, cost));

export const verifyPassword = ({ hash: stored, password }: { hash: string; password: string }): Promise<boolean> =>
  withSlot(() => verify(stored, password));
