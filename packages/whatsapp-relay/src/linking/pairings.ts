/**
 * Linking a companion. A client without an account registers and gets references for its QR codes, or asks for a
 * pairing code. A phone scans the QR or takes the code. The server sends the companion its signed identity, and the
 * companion confirms. Then the server restarts the stream (515). Codes of a retired registration link nothing.
 */
import { randomBytes } from 'node:crypto';
import { type Account, Device } from '../devices/account.js';
import {
  type Candidate,
  closedTooSoon,
  type Link,
  type LinkOptions,
  type LinkWaiter,
  newRefresh,
  type PairingMethod,
  refreshTaken,
} from './candidate.js';
import { CodePairings } from './code-pairings.js';
import type { Connection } from '../wire/connection.js';
import { signDeviceIdentity } from './device-identity.js';
import { ArmedFaults } from '../switchboard/faults.js';
import { writeJid } from '../wire/jid.js';
import { demandPasskey, passkeyMissing } from './passkey.js';
import { type Registration, writeClientPairingProps } from '../wire/protobuf.js';
import { newStanzaId, serverNotification, serverSet } from '../wire/server-stanza.js';
import { bytesOf, child, type Stanza, stanza } from '../wire/stanza.js';

/** As many as on WhatsApp. */
const referencesPerRegistration = 6;

const codeLifetimeMs = 180_000;

export type PairingsOptions = {
  /** How many QR codes a new client gets. */
  readonly references?: number | undefined;
  readonly codeLifetimeMs?: number | undefined;
  readonly faults?: ArmedFaults;
};

export class Pairings {
  readonly codes: CodePairings;
  private readonly byReference = new Map<string, Candidate>();
  private readonly references: number;
  private readonly faults: ArmedFaults;

  constructor(options: PairingsOptions = {}) {
    this.references = options.references ?? referencesPerRegistration;
    this.faults = options.faults ?? new ArmedFaults();
    this.codes = new CodePairings({
      lifetimeMs: options.codeLifetimeMs ?? codeLifetimeMs,
      faults: this.faults,
      offerIdentity: (candidate, account, secret, link) =>
        this.offerIdentity(candidate, account, 'pairing_code', secret, link),
    });
  }

  /** Offers a new client the references for its QR codes. */
  begin(connection: Connection, registration: Registration): Candidate {
    const references = Array.from({ length: this.references }, () => randomBytes(16).toString('base64url'));
    const candidate: Candidate = {
      connection,
      registration,
      offerId: newStanzaId(),
      references,
      retiredSecrets: new Set(),
      refresh: null,
      onAcknowledged: new Set(),
      isGone: false,
      links: new Map(),
    };
    for (const reference of references) this.byReference.set(reference, candidate);
    const offered = references.map((reference) => stanza('ref', {}, Buffer.from(reference)));
    connection.send(serverSet(candidate.offerId, [stanza('pair-device', {}, offered)]));
    return candidate;
  }

  /** Ends a candidate whose client is gone. Its codes link nothing any more. */
  end(candidate: Candidate): void {
    candidate.isGone = true;
    for (const reference of candidate.references) this.byReference.delete(reference);
    this.codes.end(candidate);
    failAll(candidate, 'the companion closed without confirming that it is linked');
  }

  /**
   * Retires the registration that made this QR. The companion must acknowledge that and show a QR with a new secret.
   */
  refresh(qr: string): void {
    const { candidate, secret } = this.readQr(qr);
    candidate.retiredSecrets.add(secret);
    this.announceRefresh(candidate);
  }

  announceRefresh(candidate: Candidate): void {
    candidate.refresh = newRefresh();
    candidate.connection.send(serverNotification('companion_reg_refresh', [stanza('companion_reg_refresh')]));
  }

  /**
   * Links the companion that shows this QR. Resolves when the companion has confirmed; rejects with the reason why it
   * did not link.
   */
  async scan(account: Account, qr: string, options: LinkOptions): Promise<Device> {
    const { candidate, secret } = this.readQr(qr);
    await refreshTaken(candidate);
    if (candidate.retiredSecrets.has(secret)) throw new Error('the QR code is of a retired registration');
    return new Promise((linked, failed) => {
      const waiter = { linked, failed, restart: options.restart ?? true };
      this.offerIdentity(candidate, account, 'qr', Buffer.from(secret, 'base64'), waiter).catch(failed);
    });
  }

  /**
   * Handles the companion's answer to an offered identity. Returns the link if the companion is a device now, else
   * null.
   */
  confirm(candidate: Candidate, answer: Stanza): Link | null {
    const stanzaId = answer.attrs['id'] ?? '';
    const link = candidate.links.get(stanzaId);
    if (!link) return null;
    candidate.links.delete(stanzaId);
    if (answer.attrs['type'] !== 'result') {
      link.failed(new Error('the companion refused the identity that the phone signed'));
      return null;
    }
    failAll(candidate, 'the companion linked to another scan');
    link.device.account.devices.set(link.device.id, link.device);
    if (link.restart) candidate.connection.end(stanza('stream:error', { code: '515' }));
    link.linked(link.device);
    return link;
  }

  private async offerIdentity(
    candidate: Candidate,
    account: Account,
    method: PairingMethod,
    advSecret: Buffer,
    waiter: LinkWaiter,
  ): Promise<void> {
    if (account.passkey) {
      demandPasskey(candidate, account.passkey);
      throw passkeyMissing();
    }
    const device = new Device(account, account.nextDeviceId++, candidate.registration);
    const identity = await signDeviceIdentity(account, device.id, device.registration.identityKey, advSecret);
    if (candidate.isGone) throw closedTooSoon();
    const stanzaId = newStanzaId();
    candidate.links.set(stanzaId, { ...waiter, method, device });
    candidate.connection.send(
      serverSet(stanzaId, [
        stanza('pair-success', {}, [
          stanza('device-identity', {}, identity),
          stanza('device', {
            jid: writeJid(account.number, 's.whatsapp.net', device.id),
            lid: writeJid(account.lid, 'lid', device.id),
          }),
          stanza('platform', { name: 'android' }),
          ...this.clientProps(account),
        ]),
      ]),
    );
  }

  /**
   * Tells the companion how the account writes to people: `ClientPairingProps.isChatDbLidMigrated` (tulir/whatsmeow
   * `pair.go`).
   */
  private clientProps({ number, lidMigrated }: Account): readonly Stanza[] {
    const fault = this.faults.pairingFaults.take(number, null, ({ kind }) => kind === 'client-props');
    if (fault?.kind !== 'client-props') return [stanza('client-props', {}, writeClientPairingProps(lidMigrated))];
    return fault.as === 'missing' ? [] : [stanza('client-props', {}, Buffer.from([0xff]))];
  }

  /**
   * Reads `https://wa.me/settings/linked_devices#reference,noiseKey,identityKey,secret,platform`, or only the part
   * after `#`.
   */
  private readQr(qr: string): { candidate: Candidate; secret: string } {
    const [reference, , , secret] = (qr.split('#').at(-1) ?? '').split(',');
    const candidate = this.byReference.get(reference ?? '');
    if (!candidate || !secret) throw new Error('the QR code is unknown or has expired');
    return { candidate, secret };
  }
}

function failAll(candidate: Candidate, reason: string): void {
  for (const link of candidate.links.values()) link.failed(new Error(reason));
  candidate.links.clear();
}

/** Whether WhatsApp accepts this display name, such as `Chrome (Windows)`. It refuses invented names with 400. */
export function isGenuineDisplay(request: Stanza): boolean {
  if (!child(request, 'companion_platform_display')) return false;
  const display = bytesOf(request, 'companion_platform_display').toString();
  return /^(Chrome|Firefox|Edge|Safari|Opera) \((Windows|Mac OS|macOS|Linux|Ubuntu|Android|iOS)\)$/.test(display);
}
