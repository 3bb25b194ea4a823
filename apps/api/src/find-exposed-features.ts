/**
 * Finds features for development that strangers could reach. The mailbox shows links that open accounts, and sandbox
 * payments let customers pay themselves, so both exist only at a loopback address.
 */
import type { SettingsOf } from '@kurir/config';

type Addressed = Pick<
  SettingsOf<'api'>,
  'KURIR_HOST' | 'KURIR_PUBLIC_URL' | 'KURIR_SMTP_URL' | 'KURIR_SANDBOX_PAYMENTS' | 'NODE_ENV'
>;

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** Returns a sentence for each fault. The api must not start with one. */
export function findExposedFeatures(settings: Addressed): string[] {
  const { KURIR_PUBLIC_URL: publicUrl, KURIR_HOST: host } = settings;
  const isProduction = settings.NODE_ENV === 'production';
  const url = publicUrl === undefined ? null : new URL(publicUrl);
  const hasLocalUrl = url === null || loopback.test(url.hostname);
  const isExposed = !loopback.test(host) || !hasLocalUrl;
  const hasSandbox = settings.KURIR_SANDBOX_PAYMENTS ?? !isProduction;
  return [
    ...(url?.protocol === 'http:' && !hasLocalUrl
      ? ['KURIR_PUBLIC_URL begins with http:. Passwords and cookies would travel in the clear. Use https:.']
      : []),
    ...(isExposed && !isProduction && settings.KURIR_SMTP_URL === undefined
      ? ['Everybody could read the mails at /app/mailbox. Set NODE_ENV=production, or KURIR_SMTP_URL.']
      : []),
    ...(isExposed && hasSandbox
      ? ['Everybody could pay renewals without money. Set KURIR_SANDBOX_PAYMENTS=false.']
      : []),
  ];
}
