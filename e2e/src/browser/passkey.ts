/** The virtual authenticator of Chromium. Browsers accept no passkey for an IP address, so pages open at `localhost`. */
import type { CDPSession } from 'playwright-core';
import type { Person } from './browser.js';

export type Authenticator = { readonly cdp: CDPSession; readonly id: string };

export async function plugIn({ page, context }: Person): Promise<Authenticator> {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id: authenticatorId };
}

/** Sets whether the person shows a fingerprint or types the PIN. */
export async function verifies({ cdp, id }: Authenticator, isUserVerified: boolean): Promise<void> {
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified });
}
