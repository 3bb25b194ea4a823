/**
 * Ids with a prefix, ordered by time. After the prefix comes a ULID: 10 characters of milliseconds and 16 random ones, in
 * Crockford base32.
 */
import { hash, randomBytes } from 'node:crypto';
import type {
  AccountId,
  BroadcastId,
  ContactId,
  ConversationId,
  DeviceId,
  ImportId,
  InboundId,
  MessageId,
  PlanId,
  RenewalId,
  ReplayId,
  TemplateId,
  UploadId,
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
  brc: BroadcastId;
  tpl: TemplateId;
  con: ContactId;
  upl: UploadId;
  imp: ImportId;
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

/** Makes the id that always belongs to these words. Two calls with the same words and time make the same id. */
export function derivedId<P extends keyof IdOf>(
  prefix: P,
  timeMs: number,
  ...words: readonly (string | number)[]
): IdOf[P] {
  const digest = hash('sha256', JSON.stringify(words), 'buffer');
  let text = '';
  for (const byte of digest.subarray(0, 16)) text += alphabet.charAt(byte & 31);
  return `${prefix}_${encodeTime(timeMs)}${text}` as IdOf[P];
}
