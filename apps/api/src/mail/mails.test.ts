/** Every mail in both languages: what it holds, and that no other language stands in it. */
import { languages } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { letters, url } from '../../test/letters.js';
import { letterMail } from './letter.js';
import { invitationLetter } from './mails.js';

const invited = { email: 'budi@example.com', language: 'en' };
const link = `${url}/app/join/token`;

function invitationOf(accountName: string, inviterName = 'Siti') {
  const inviter = { name: inviterName, email: 'siti@nusa.example' };
  const expiresAt = new Date('2026-12-04T20:00:00Z');
  return letterMail(invited, invitationLetter({ accountName, role: 'developer', inviter, expiresAt }, link));
}

/** Returns the mail's own words, without the link that is ours and the address of the inviter. */
function wordsOf(accountName: string, inviterName?: string): string {
  const { subject, text } = invitationOf(accountName, inviterName);
  expect(text).toContain(link);
  return `${subject}\n${text.replace(link, '').replaceAll('siti@nusa.example', '')}`;
}

describe('an invitation', () => {
  test.each(['evil.com', 'Toko evil.example', 't.co/abc', 'a.b.c.id', 'evil。com', 'evil．com', 'evil｡com', 'x.рф'])(
    'makes no link of the name %j',
    (name) => {
      for (const words of [wordsOf(name), wordsOf('Toko', name)]) {
        expect(words).not.toMatch(/[\p{L}\p{N}][.。．｡][\p{L}\p{N}]/u);
        expect(words.replaceAll(/\s/g, '')).toContain(name.replaceAll(/\s/g, ''));
      }
    },
  );

  test.each(['PT. Maju Jaya', 'St. John', 'Toko Budi...', 'Budi S.', 'Kopi & Teh: 24/7'])(
    'shows the name %j as it is',
    (name) => expect(wordsOf(name)).toContain(`You are invited to join ${name}`),
  );

  test.each([
    ['J.R. Tolkien', 'J. R. Tolkien'],
    ['Siti, A.Md.', 'Siti, A. Md.'],
  ])('keeps initials and titles readable: %j', (name, shown) =>
    expect(wordsOf(name)).toContain(`join ${shown} on Kurir.`),
  );

  test('says who invites to which account with which role, why, and until when', () => {
    const { text } = invitationOf('PT Nusa');
    for (const words of [
      'Siti invites you to join PT Nusa on Kurir.',
      'works for 7 days',
      'Account: PT Nusa',
      'Role: developer',
      'Invited by: Siti (siti@nusa.example)',
      'link devices, send messages and make keys',
      'until 4 December 2026',
      'You get this email because Siti invited your address.',
    ])
      expect(text).toContain(words);
  });

  test('names the address of an inviter whose name has one', () => {
    const { text } = invitationOf('PT Nusa', 'see www.evil.example');
    expect(text).not.toContain('evil');
    expect(text).toContain('siti@nusa.example invites you');
  });
});

/** Words that stand in nearly every sentence of one language and in none of the other. */
const foreign = {
  en: /\b(yang|dan|anda|ini|itu|untuk|dengan|akun|alamat|tidak|karena|jika|dari|pada|sampai|waktu|perangkat|kata sandi|surel)\b/i,
  id: /\b(the|you|your|this|that|with|and|of|if|because|was|were|is|are|until|time|account|address|password|surel)\b/i,
};

describe.each(languages)('in %s', (language) => {
  test.each(letters)('%s: text and HTML say the same, and nothing in another language', (_name, letter) => {
    const at = language === 'id' ? 0 : 1;
    const { subject, text, html } = letterMail({ email: 'x@example.com', language }, letter);
    expect(subject).toBe(letter.subject[at]);
    expect(html).toContain(`<html lang="${language}">`);
    expect(text).toContain(letter.why[at]);
    expect(letter.why[at]).toMatch(/^(You get this email because|Anda menerima email ini karena) /);
    const withoutLinks = (part: string) => part.replaceAll(/https:\S+?(?=[\s"<]|$)/gm, '');
    const body = html.slice(html.indexOf('<body>')).replaceAll(/<[^>]*>/g, ' ');
    for (const part of [subject, withoutLinks(text), withoutLinks(body)]) {
      expect(part).not.toMatch(foreign[language]);
      expect(part).not.toMatch(/undefined|null|NaN|\[object/);
    }
    expect(text).toContain(`\n${letter.link.url}\n`);
    expect(html).toContain(`href="${letter.link.url}"`);
  });

  test.each(letters)('%s loads nothing and runs nothing', (_name, letter) => {
    const { html } = letterMail({ email: 'x@example.com', language }, letter);
    expect(html).not.toMatch(/<(img|script|link|iframe|table)\b|url\(|@import|\ssrc=|\son\w+=/i);
    expect(html).not.toContain('<Nusa>');
  });
});

test('a person without a language gets Indonesian', () => {
  const [, letter] = letters[0] ?? expect.unreachable();
  for (const language of [null, undefined, 'fr'])
    expect(letterMail({ email: 'x@example.com', language }, letter).subject).toBe(letter.subject[0]);
});
