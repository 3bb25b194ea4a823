/** Times and names as the mails show them, in Indonesian and in English. */
import { isDisplayName } from '@kurir/contracts';
import type { Both } from './letter.js';

const format = (language: string, timeZone: string, zone: string, at: Date): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at)} ${zone}`;

export const momentOf = (at: Date): Both => [
  format('id-ID', 'Asia/Jakarta', 'WIB', at),
  format('en-GB', 'UTC', 'UTC', at),
];

export const dayOf = (at: Date): Both => [
  new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeZone: 'Asia/Jakarta' }).format(at),
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at),
];

/**
 * A mail program makes a link of a name such as `evil.com`, and the mail is ours. A space after each dot prevents that,
 * also after the dots of other scripts.
 */
export const withoutLink = (name: string) => name.replace(/([.\u3002\uff0e\uff61])(?=[^\s.])/g, '$1 ');

/** The address without its query, which may hold a secret, and so that no mail program makes a link of it. */
export function addressOf(url: string | null, id: string): string {
  if (url === null || !URL.canParse(url)) return id;
  const { host, pathname } = new URL(url);
  return `"${withoutLink(host + pathname)}"`;
}

/** Members choose these names. A name with an address would put a link into a mail of ours, so the id stands for it. */
export const quoted = (name: string | null, id: string): string =>
  name !== null && isDisplayName(name) ? `"${withoutLink(name)}"` : id;
