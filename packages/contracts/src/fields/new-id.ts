/** Prefixed, time-ordered ids: 10 characters of milliseconds, 16 of randomness, Crockford base32 (the ULID layout). */
import { randomBytes } from 'node:crypto';
import type { AccountId, DeviceId, MessageId, PlanId, RenewalId, UserId, WorkerId } from './id-forms.js';

type IdOf = {
  msg: MessageId;
  dev: DeviceId;
  acc: AccountId;
  pln: PlanId;
  plc: `plc_${string}`;
  rnw: RenewalId;
  pay: `pay_${string}`;
  wrk: WorkerId;
  usr: UserId;
  ses: `ses_${string}`;
  inv: `inv_${string}`;
  eml: `eml_${string}`;
  idn: `idn_${string}`;
  aud: `aud_${string}`;
  req: `req_${string}`;
  key: `key_${string}`;
};

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

function encodeTime(ms: number): string {
  let text = '';
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) text = alphabet.charAt(rest % 32) + text;
  return text;
}

/** Randomness is drawn in blocks: one system call for 256 ids instead of one each. */
let pool = randomBytes(0);
let used = 0;

function encodeRandom(): string {
  if (used + 16 > pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  let text = '';
  for (const end = used + 16; used < end; used++) text += alphabet.charAt((pool[used] ?? 0) & 31);
  return text;
}

/** A new id, unique without coordination (80 random bits beside the time). Sorts by the clock of this process. */
export function newId<P extends keyof IdOf>(prefix: P, nowMs: number = Date.now()): IdOf[P] {
  // The template literal cannot be narrowed by the compiler over a generic prefix.
  return `${prefix}_${encodeTime(nowMs)}${encodeRandom()}` as IdOf[P];
}
