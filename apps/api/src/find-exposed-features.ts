/**
 * Finds features for development that strangers could reach. The mailbox shows links that open accounts, and sandbox
 * payments let customers pay themselves. The simulated network shows its texts to everybody. So they exist only on
 * loopback.
 */
import type { SettingsOf } from '@kurir/config';
import { isLoopback } from './http/loopback.js';

type Addressed = Pick<
  SettingsOf<'api'>,
  'KURIR_HOST' | 'KURIR_PUBLIC_URL' | 'KURIR_SIMULATOR_URL' | 'KURIR_SMTP_URL' | 'KURIR_SANDBOX_PAYMENTS' | 'NODE_ENV'
>;

function findExposedMoneyAndMails(settings: Addressed): string[] {
  const isProduction = settings.NODE_ENV === 'production';
  const hasSandbox = settings.KURIR_SANDBOX_PAYMENTS ?? !isProduction;
  return [
    ...(settings.NODE_ENV === undefined
      ? ['NODE_ENV is not set, and others can reach this address. Set NODE_ENV=production.']
      : []),
    ...(!isProduction && settings.KURIR_SMTP_URL === undefined
      ? [
          'Everybody could sign up and read the mails at /app/mailbox. Set NODE_ENV=production, or KURIR_SMTP_URL. Or listen and publish on loopback only.',
        ]
      : []),
    ...(hasSandbox ? ['Everybody could pay renewals without money. Set KURIR_SANDBOX_PAYMENTS=false.'] : []),
  ];
}

/** Returns a sentence for each fault. The api must not start with one. */
export function findExposedFeatures(settings: Addressed): string[] {
  const url = settings.KURIR_PUBLIC_URL === undefined ? null : new URL(settings.KURIR_PUBLIC_URL);
  const hasPublicUrl = url !== null && !isLoopback(url.hostname);
  const hasPublicHost = !isLoopback(settings.KURIR_HOST);
  // A container must listen on all of its addresses. A public URL on loopback says that it is published there.
  const isPublished = hasPublicUrl || (hasPublicHost && url === null);
  return [
    ...(hasPublicUrl && url.protocol === 'http:'
      ? ['KURIR_PUBLIC_URL begins with http:. Passwords and cookies would travel in the clear. Use https:.']
      : []),
    ...(hasPublicUrl || hasPublicHost ? findExposedMoneyAndMails(settings) : []),
    ...(isPublished && settings.KURIR_SIMULATOR_URL !== undefined
      ? [
          'Everybody could read the texts of the simulated network. Leave KURIR_SIMULATOR_URL out, or set KURIR_PUBLIC_URL to a loopback address.',
        ]
      : []),
  ];
}
