/** A link attempt with all codes that it shows, and its end. */
import type { PairingMethod } from '@kurir/contracts';
import type { CredentialStore, LinkAttempt, LinkEnd } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { type RelayFixture, SENDER } from './relay-fixture.js';

export type ShownCode = { readonly code: string; readonly validUntil: Date };

export type Linking = {
  readonly attempt: LinkAttempt;
  readonly end: Promise<LinkEnd>;
  readonly shown: ShownCode[];
  /** Resolves with the `count`th code when it is shown. */
  code(count?: number): Promise<string>;
};

export function startLinking(
  fixture: Pick<RelayFixture, 'driver' | 'credentials'>,
  method: PairingMethod,
  credentials: CredentialStore = fixture.credentials,
): Linking {
  const shown: ShownCode[] = [];
  const attempt = fixture.driver.link({
    deviceId: 'dev_1',
    epoch: 1n,
    credentials,
    method,
    phoneNumber: SENDER,
    code: (code, validUntil) => void shown.push({ code, validUntil }),
  });
  const code = async (count = 1): Promise<string> => {
    await waitUntil(`code ${count} is shown`, () => shown.length >= count);
    return shown[count - 1]?.code ?? '';
  };
  return { attempt, end: attempt.end, shown, code };
}

/** How many notifications were acknowledged by clients that are not linked yet. */
export function acknowledgedNotifications(fixture: RelayFixture): number {
  return fixture.relay.journal
    .of('acknowledgement')
    .filter(({ device, of, error }) => device === null && of === 'notification' && error === null).length;
}
