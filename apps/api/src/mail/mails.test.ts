import { expect, test } from 'vitest';
import { invitationMail } from './mails.js';

const url = 'https://kurir.example/app/join/token';

/** Returns the mail's own words, without the link that is ours. */
function wordsOf(name: string): string {
  const { subject, text } = invitationMail('budi@example.com', name, url);
  expect(text).toContain(url);
  return `${subject}\n${text.replace(url, '')}`;
}

test.each(['evil.com', 'Toko evil.example', 't.co/abc', 'a.b.c.id', 'evil。com', 'evil．com', 'evil｡com', 'x.рф'])(
  'a mail makes no link of the name %j',
  (name) => {
    expect(wordsOf(name)).not.toMatch(/[\p{L}\p{N}][.。．｡][\p{L}\p{N}]/u);
    expect(wordsOf(name).replaceAll(/\s/g, '')).toContain(name.replaceAll(/\s/g, ''));
  },
);

test.each(['PT. Maju Jaya', 'St. John', 'Toko Budi...', 'Budi S.', 'Kopi & Teh: 24/7'])(
  'a mail shows the name %j as it is',
  (name) => expect(wordsOf(name)).toContain(`Invitation to ${name} on Kurir`),
);

test.each([
  ['J.R. Tolkien', 'J. R. Tolkien'],
  ['Siti, A.Md.', 'Siti, A. Md.'],
])('initials and titles stay readable: %j', (name, shown) => expect(wordsOf(name)).toContain(`join ${shown}.`));
