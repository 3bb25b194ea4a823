/** Every kind of mail, once or more, with the same names. */
import type { AccountId, NoticeKind } from '@kurir/contracts';
import { noticeKindNames } from '@kurir/contracts';
import { memberRoles } from '@kurir/contracts/dashboard';
import type { NoticeItem } from '@kurir/database';
import type { InvoiceRow } from '@kurir/database/invoices';
import type { Letter } from '../src/mail/letter.js';
import {
  changedAddressLetter,
  invitationLetter,
  knownAddressLetter,
  newAddressLetter,
  resetLetter,
  verifyLetter,
  welcomeLetter,
} from '../src/mail/mails.js';
import { securityEvents, securityLetter } from '../src/mail/security-mails.js';
import { noticeLetter } from '../src/notices/notice-letter.js';
import { receiptLetter } from '../src/notices/receipt-mail.js';

export const url = 'https://kurir.test';

const at = new Date('2026-11-25T05:00:00Z');
const occasion = { at, network: '203.0.113.x' };

export const noticeItem = (fields: Partial<NoticeItem> = {}): NoticeItem => ({
  id: 1n,
  subject: 'dev_01kajp4m3s5y8zt0v6qk2c9hbe',
  name: 'Kasir',
  state: null,
  reason: null,
  until: null,
  at,
  isLast: false,
  number: null,
  numberEnds: '7890',
  actor: 'admin',
  actorName: null,
  ...fields,
});

export const anInvoice: InvoiceRow = {
  id: 'rnw_01kajp4m3s5y8zt0v6qk2c9hbe',
  accountName: 'PT <Nusa>',
  billedTo: { name: null, taxNumber: null, address: null },
  planName: 'Usaha',
  durationDays: 30,
  quota: 1_000,
  amountRupiah: 50_000,
  method: 'qris',
  provider: 'midtrans',
  providerPayment: 'b1a2',
  paidAt: at,
  periodStart: at,
  periodEnd: new Date('2027-01-01T05:00:00Z'),
};

export function letterAbout(kind: NoticeKind, ...items: [NoticeItem, ...NoticeItem[]]): Letter {
  const accountId = 'acc_01kajp4m3s5y8zt0v6qk2c9hbe' as AccountId;
  const claimed = { kind, accountId, accountName: 'PT <Nusa>', recipient: 'x@example.com', language: null, over: [] };
  if (kind === 'renewal.paid') return receiptLetter(claimed, anInvoice, url);
  return noticeLetter({ ...claimed, kind, items }, url);
}

const inviter = { name: 'Siti', email: 'siti@nusa.example' };
const whole = noticeItem({ state: '7', reason: 'connection_lost', until: new Date('2026-12-02T05:00:00Z') });

export const letters: readonly (readonly [name: string, letter: Letter])[] = [
  ['password reset', resetLetter(`${url}/app/reset-password?token=abc`)],
  ['address to confirm', verifyLetter(`${url}/app/api/auth/verify-email?token=abc`)],
  ['new address', newAddressLetter(`${url}/app/confirm-email?token=abc`)],
  ['changed address', changedAddressLetter('b…@nusa.example', `${url}/app/sign-in`)],
  ['welcome', welcomeLetter(`${url}/app`, { messages: 100, days: 7 })],
  ['welcome without a trial', welcomeLetter(`${url}/app`, null)],
  ['known address', knownAddressLetter(`${url}/app/sign-in`)],
  ...memberRoles.map((role) => {
    const invitation = { accountName: 'PT Nusa', role, inviter, expiresAt: at };
    return [`invitation as ${role}`, invitationLetter(invitation, `${url}/app/join/abc`)] as const;
  }),
  ...securityEvents.map((event) => [event, securityLetter(event, occasion, `${url}/app/forgot`)] as const),
  ...noticeKindNames.map((kind) => [kind, letterAbout(kind, whole)] as const),
  ...noticeKindNames.map(
    (kind) => [`${kind}, twice`, letterAbout(kind, whole, noticeItem({ state: '1', name: 'Gudang' }))] as const,
  ),
];
