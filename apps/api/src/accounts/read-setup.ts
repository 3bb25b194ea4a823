import { mailboxPath } from '../mail/mailbox-page.js';
import type { Handler } from '../operations/operation-request.js';

export const readSetup: Handler<'readSetup'> = (_request, { signUp, mailbox, addresses }) =>
  Promise.resolve({ sign_up: signUp, mailbox_url: mailbox ? `${addresses.publicUrl()}${mailboxPath}` : null });
