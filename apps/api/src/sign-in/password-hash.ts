/** Passwords: argon2id with OWASP's least cost, at most two at a time, so that a flood of sign-ins leaves a core. */
import { hash, verify } from '@node-rs/argon2';

/** The algorithm is the library's default, argon2id. */
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
    // The place goes to whoever waits the longest, without becoming free in between.
    if (next === undefined) running--;
    else next();
  }
}

export const hashPassword = (password: string): Promise<string> => withSlot(() => hash(password, cost));

export const verifyPassword = ({ hash: stored, password }: { hash: string; password: string }): Promise<boolean> =>
  withSlot(() => verify(stored, password));
