/** The language of a new person, and of mails to a person without one: that of the page, or else of the browser. */
import type { GenericEndpointContext } from '@better-auth/core';
import { isLanguage } from '@kurir/contracts';
import { APIError } from 'better-auth/api';
import { acceptedLanguage } from '../../http/accepted-language.js';
import type { Addressee } from '../../mail/letter.js';

/**
 * Writes the language into the body of a sign-up. The answer for a registered address is made from the body too, so nobody
 * sees by it that the address is registered. Throws 400 if the body names a language that is none of ours.
 */
export function chooseLanguage({ body, headers }: Pick<GenericEndpointContext, 'body' | 'headers'>): void {
  if (typeof body !== 'object' || body === null) return;
  const given: unknown = Reflect.get(body, 'language') ?? null;
  if (isLanguage(given)) return;
  if (given !== null)
    throw new APIError('BAD_REQUEST', { code: 'INVALID_REQUEST', message: 'language: must be one of en, id.' });
  const accepted = acceptedLanguage(headers?.get('accept-language'));
  if (accepted === null) Reflect.deleteProperty(body, 'language');
  else Reflect.set(body, 'language', accepted);
}

/** A person whose language is not known yet reads mails in that of the browser that asked. */
export const readerIn = <P extends Addressee>(person: P, headers: Headers | undefined): P =>
  isLanguage(person.language) ? person : { ...person, language: acceptedLanguage(headers?.get('accept-language')) };
