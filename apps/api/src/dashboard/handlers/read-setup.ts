import { mailboxPath } from '../../sign-in/mailbox-page.js';
import type { DashboardHandler } from '../dashboard-request.js';

export const readSetup: DashboardHandler<'readSetup'> = (_request, { signUp, mailbox, addresses }) =>
  Promise.resolve({ sign_up: signUp, mailbox_url: mailbox ? `${addresses.publicUrl()}${mailboxPath}` : null });
