/**
 * Hashes passwords with argon2id at OWASP's minimum cost. Few run at once, so that a flood of sign-ins leaves a core
 * free.
 */
import { hash, verify } from '@node-rs/argon2';

/** argon2id is the default of the library. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const maxAtOnce = 2;

let running = 0;
const waiting: (() => void)[] = [];

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The slot goes directly to the oldest waiting call, so `running` stays the same.
    if (next === undefined) running--;
    else next();
  }
}

export const hashPassword = (password: string): Promise<string> => withSlot(() => hash(password, cost));

export const verifyPassword = ({ hash: stored, password }: { hash: string; password: string }): Promise<boolean> =>
  withSlot(() => verify(stored, password));
