/**
 * The reason why the server refuses a direct message: the first rule that it breaks. Groups, status posts and channels
 * have other rules.
 */
import type { Account } from '../devices/account.js';
import { isTimelocked } from '../devices/account-limits.js';
import { parseJid } from '../wire/jid.js';
import type { Stanza } from '../wire/stanza.js';
import { addressError } from './address-rule.js';
import { isWellFormed } from './shape-rule.js';
import { lacksToken } from './token-rule.js';

/** Only the relay knows the rule: on the wire an address, a timelock and a token are all 463. */
export type Rule = 'shape' | 'address' | 'timelock' | 'token';

export type Refusal = { readonly rule: Rule; readonly error: number };

const restricted = 463;
const malformed = 479;

export function refusalOf(
  from: Account,
  recipient: Account | undefined,
  message: Stanza,
  strict: boolean,
): Refusal | null {
  if (!isDirect(message)) return null;
  if (strict && !isWellFormed(message)) return { rule: 'shape', error: malformed };
  const error = strict ? addressError(from, recipient, message) : null;
  if (error !== null) return { rule: 'address', error };
  if (!recipient || recipient === from) return null;
  if (isTimelocked(from, recipient.number)) return { rule: 'timelock', error: restricted };
  if (strict && lacksToken(from, recipient, message)) return { rule: 'token', error: restricted };
  return null;
}

export function isDirect({ attrs }: Stanza): boolean {
  const { server = '' } = parseJid(attrs['to']) ?? {};
  return server === 'lid' || server === 's.whatsapp.net' || attrs['to'] === undefined;
}
