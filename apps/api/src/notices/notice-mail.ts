/** Makes the mail about claimed notices, with what the database knows about its subject at this moment. */
import type { Database } from '@kurir/database';
import { type BroadcastCounts, readBroadcast } from '@kurir/database/broadcasts';
import { readInvoice } from '@kurir/database/invoices';
import { isLanguage } from '@kurir/contracts';
import { type Addressee, type Both, letterMail } from '../mail/letter.js';
import type { Mail } from '../mail/mailer.js';
import type { Seller } from '../payments/invoices/draw-invoice.js';
import { invoiceFile } from '../payments/invoices/invoice-file.js';
import type { Claimed } from './claimed.js';
import { noticeLetter } from './notice-letter.js';
import { receiptLetter } from './receipt-mail.js';

export type MailSources = {
  readonly database: Database;
  /** The operator of the gateway, as invoices name it. */
  readonly seller: Seller;
  readonly publicUrl: () => string;
};

const sentStatuses = ['sent', 'delivered', 'read'] as const;

/** How many got the message, how many did not, and of how many nobody knows. */
export function countLines({ messages, skipped }: Pick<BroadcastCounts, 'messages' | 'skipped'>): Both[] {
  const sent = sentStatuses.reduce((sum, status) => sum + (messages[status] ?? 0), 0);
  const unknown = messages.unknown ?? 0;
  const all = Object.values(messages).reduce((sum, count) => sum + count, 0);
  const left = skipped.reduce((sum, { count }) => sum + count, 0);
  const line = (count: number, [indonesian, english]: Both): Both => [
    `${indonesian}: ${new Intl.NumberFormat('id-ID').format(count)}`,
    `${english}: ${new Intl.NumberFormat('en-GB').format(count)}`,
  ];
  return [
    line(sent, ['Terkirim', 'Sent']),
    line(all - sent - unknown, ['Tidak terkirim', 'Not sent']),
    ...(unknown === 0 ? [] : [line(unknown, ['Tidak diketahui', 'Unknown'])]),
    ...(left === 0 ? [] : [line(left, ['Dilewati', 'Skipped'])]),
  ];
}

async function receiptMail({ database, seller, publicUrl }: MailSources, claimed: Claimed, to: Addressee) {
  const invoice = await readInvoice(database, claimed.accountId, claimed.items[0].subject);
  if (invoice === null) return null;
  const language = isLanguage(to.language) ? to.language : 'id';
  const file = await invoiceFile({ invoice, seller, language });
  return { ...letterMail(to, receiptLetter(claimed, invoice, publicUrl())), file };
}

/** Null: the thing of which it tells is gone. */
export async function noticeMail(sources: MailSources, claimed: Claimed, to: Addressee): Promise<Mail | null> {
  const { kind, accountId, items } = claimed;
  if (kind === 'renewal.paid') return receiptMail(sources, claimed, to);
  const letter = noticeLetter({ ...claimed, kind }, sources.publicUrl());
  if (kind !== 'broadcast.finished' || items.length > 1) return letterMail(to, letter);
  const found = await readBroadcast(sources.database, accountId, items[0].subject);
  return found === null ? null : letterMail(to, { ...letter, list: countLines(found.counts) });
}
