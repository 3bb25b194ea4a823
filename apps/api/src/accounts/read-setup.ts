import { countries, countryOfZone } from '@kurir/phone-numbers';
import { mailboxPath } from '../mail/mailbox-page.js';
import type { Handler } from '../operations/operation-request.js';

export const readSetup: Handler<'readSetup'> = ({ query }, { signUp, mailbox, addresses }) =>
  Promise.resolve({
    sign_up: signUp,
    country: query.time_zone === undefined ? null : countryOfZone(query.time_zone),
    countries: [...countries],
    mailbox_url: mailbox ? `${addresses.publicUrl()}${mailboxPath}` : null,
  });
