/** The people whose contact cards (vCard) somebody sent. */
import type { InboundContact } from '@kurir/contracts';
import { LONGEST_WORD, plainText } from './plain-values.js';

type Card = { readonly displayName?: string | null; readonly vcard?: string | null };

const MOST_CARDS = 100;
const MOST_PHONES = 20;
const LONGEST_CARD = 16_384;
const LONGEST_PHONE = 40;

/** A line of a phone number. WhatsApp adds the number's account as `waid`. */
const PHONE_LINE = /^(?:[\w-]+\.)?TEL((?:;[^:]*)?):(.*)$/i;

export function contactsOf(cards: readonly Card[]): readonly InboundContact[] {
  return cards.slice(0, MOST_CARDS).map(({ displayName, vcard }) => ({
    name: plainText(displayName, LONGEST_WORD),
    phones: phonesOf(plainText(vcard, LONGEST_CARD) ?? ''),
  }));
}

/** Digits with country code where WhatsApp knows the account, else as the card has it. */
function phonesOf(card: string): readonly string[] {
  const phones = card.split(/\r?\n/).flatMap((line) => {
    const [, parameters = '', written = ''] = PHONE_LINE.exec(line) ?? [];
    const account = /;waid=(\d+)/i.exec(parameters)?.[1];
    return account ?? plainText(written.trim(), LONGEST_PHONE) ?? [];
  });
  return [...new Set(phones)].map((phone) => phone.slice(0, LONGEST_PHONE)).slice(0, MOST_PHONES);
}
