/**
 * Ids with a prefix, ordered by time. After the prefix comes a ULID: 10 characters of milliseconds and 16 random ones, in
 * Crockford base32.
 */
import { randomBytes } from 'node:crypto';
import type {
  AccountId,
  ConversationId,
  DeviceId,
  InboundId,
  MessageId,
  PlanId,
  RenewalId,
  ReplayId,
  UserId,
  WebhookId,
  WorkerId,
} from './id-forms.js';

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
  whk: WebhookId;
  rpl: ReplayId;
  ses: `ses_${string}`;
  inv: `inv_${string}`;
  eml: `eml_${string}`;
  idn: `idn_${string}`;
  aud: `aud_${string}`;
  cnv: ConversationId;
  inb: InboundId;
  req: `req_${string}`;
  key: `key_${string}`;
};

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

function encodeTime(ms: number): string {
  let text = '';
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) text = alphabet.charAt(rest % 32) + text;
  return text;
}

/** Random bytes come in blocks, so that one system call serves many ids. */
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

/** Makes an id. Its random bits make it unique without coordination. Ids sort by the clock of their process. */
export function newId<P extends keyof IdOf>(prefix: P, nowMs: number = Date.now()): IdOf[P] {
  // The compiler cannot narrow a template literal with a generic prefix.
  return `${prefix}_${encodeTime(nowMs)}${encodeRandom()}` as IdOf[P];
}
