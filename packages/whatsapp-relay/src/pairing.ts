/**
 * Linking a companion. A client without an account registers, gets six references for its QR codes, or asks for a
 * pairing code; a phone scans or types; the server hands the companion its signed identity; the companion confirms;
 * the server restarts its stream (515). Codes of a retired registration link nothing.
 */
import { randomBytes } from 'node:crypto';
import { X25519 } from 'zapo-js/crypto';
import type { Account } from './account.js';
import {
  type Candidate,
  type Link,
  type LinkOptions,
  type LinkWaiter,
  newRefresh,
  type PairingMethod,
  refreshTaken,
} from './candidate.js';
import type { Connection } from './connection.js';
import { Device } from './device.js';
import { signDeviceIdentity } from './device-identity.js';
import { writeJid } from './jid.js';
import { openAdvSecret, openCompanionKey, type PairingKeys, wrapPrimaryKey } from './pairing-code.js';
import type { Registration } from './protobuf.js';
import { bytesOf, child, serverJid, type Stanza, stanza, timestamp } from './stanza.js';

type CodeRequest = {
  readonly candidate: Candidate;
  readonly reference: Buffer;
  readonly wrappedCompanionKey: Buffer;
  typed: { readonly keys: PairingKeys; readonly account: Account; readonly link: LinkWaiter } | null;
};

/** As many as WhatsApp gives. */
const referencesPerRegistration = 6;

export class Pairings {
  private readonly byReference = new Map<string, Candidate>();
  private readonly byNumber = new Map<string, CodeRequest>();

  constructor(private readonly references: number = referencesPerRegistration) {}

  /** Offers a new client the references for its QR codes. */
  begin(connection: Connection, registration: Registration): Candidate {
    const references = Array.from({ length: this.references }, () => randomBytes(16).toString('base64url'));
    const candidate: Candidate = {
      connection,
      registration,
      offerId: newId(),
      references,
      retiredSecrets: new Set(),
      refresh: null,
      isGone: false,
      links: new Map(),
    };
    for (const reference of references) this.byReference.set(reference, candidate);
    const offered = references.map((reference) => stanza('ref', {}, Buffer.from(reference)));
    connection.send(serverSet(candidate.offerId, [stanza('pair-device', {}, offered)]));
    return candidate;
  }

  /** The client is gone: its codes link nothing any more. */
  end(candidate: Candidate): void {
    candidate.isGone = true;
    for (const reference of candidate.references) this.byReference.delete(reference);
    for (const [number, request] of this.byNumber) {
      if (request.candidate !== candidate) continue;
      this.byNumber.delete(number);
      request.typed?.link.failed(closedTooSoon());
    }
    failAll(candidate, 'the companion closed without confirming that it is linked');
  }

  /** Retires the registration that made this QR. The companion must acknowledge, and show a QR with a new secret. */
  refresh(qr: string): void {
    const { candidate, secret } = this.readQr(qr);
    candidate.retiredSecrets.add(secret);
    this.announceRefresh(candidate);
  }

  announceRefresh(candidate: Candidate): void {
    candidate.refresh = newRefresh();
    const attrs = { from: serverJid, type: 'companion_reg_refresh', id: newId(), t: timestamp() };
    candidate.connection.send(stanza('notification', attrs, [stanza('companion_reg_refresh')]));
  }

  /** What a phone does when it scans. Resolves when the companion confirmed; rejects with the reason it did not link. */
  async scan(account: Account, qr: string, options: LinkOptions): Promise<Device> {
    const { candidate, secret } = this.readQr(qr);
    await refreshTaken(candidate);
    if (candidate.retiredSecrets.has(secret)) throw new Error('the QR code is of a retired registration');
    return new Promise((linked, failed) => {
      const waiter = { linked, failed, restart: options.restart ?? true };
      this.offerIdentity(candidate, account, 'qr', Buffer.from(secret, 'base64'), waiter).catch(failed);
    });
  }

  /** A companion asks for a code for this number. Answers the reference that it has to repeat. */
  requestCode(candidate: Candidate, number: string, request: Stanza): Buffer {
    const reference = randomBytes(16);
    const wrappedCompanionKey = bytesOf(request, 'link_code_pairing_wrapped_companion_ephemeral_pub');
    this.byNumber.set(number, { candidate, reference, wrappedCompanionKey, typed: null });
    return reference;
  }

  /** What a phone does when its owner types the code. As `scan`; a wrong code rejects. */
  async type(account: Account, code: string, options: LinkOptions): Promise<Device> {
    const request = this.byNumber.get(account.number);
    if (!request) throw new Error(`no companion asked for a code for ${account.number}`);
    const plainCode = code.replaceAll('-', '').toUpperCase();
    const keys = {
      ephemeral: await X25519.generateKeyPair(),
      companionEphemeral: openCompanionKey(plainCode, request.wrappedCompanionKey),
    };
    if (request.candidate.isGone) throw closedTooSoon();
    return new Promise((linked, failed) => {
      request.typed = { keys, account, link: { linked, failed, restart: options.restart ?? true } };
      request.candidate.connection.send(primaryHello(account, request.reference, plainCode, keys));
    });
  }

  /** The companion's last word of a pairing by code. */
  async finishCode(candidate: Candidate, finish: Stanza): Promise<void> {
    const request = [...this.byNumber.values()].find((open) => open.candidate === candidate);
    if (!request?.typed) throw new Error('a companion finished a pairing that no phone began');
    const { keys, account, link } = request.typed;
    try {
      const bundle = bytesOf(finish, 'link_code_pairing_wrapped_key_bundle');
      const companionIdentity = bytesOf(finish, 'companion_identity_public');
      const secret = await openAdvSecret(keys, account.identity, companionIdentity, bundle);
      this.byNumber.delete(account.number);
      await this.offerIdentity(candidate, account, 'pairing_code', secret, link);
    } catch (cause) {
      request.typed = null;
      link.failed(new Error('the pairing code was wrong', { cause }));
    }
  }

  /** The companion answered the identity that it was given. The link, when it is a device now. */
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
    const device = new Device(account, account.nextDeviceId++, candidate.registration);
    const identity = await signDeviceIdentity(account, device.id, device.registration.identityKey, advSecret);
    if (candidate.isGone) throw closedTooSoon();
    const stanzaId = newId();
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
        ]),
      ]),
    );
  }

  /** `https://wa.me/settings/linked_devices#reference,noiseKey,identityKey,secret,platform`, or the last part alone. */
  private readQr(qr: string): { candidate: Candidate; secret: string } {
    const [reference, , , secret] = (qr.split('#').at(-1) ?? '').split(',');
    const candidate = this.byReference.get(reference ?? '');
    if (!candidate || !secret) throw new Error('the QR code is unknown or has expired');
    return { candidate, secret };
  }
}

function closedTooSoon(): Error {
  return new Error('the companion closed before it was linked');
}

function failAll(candidate: Candidate, reason: string): void {
  for (const link of candidate.links.values()) link.failed(new Error(reason));
  candidate.links.clear();
}

function primaryHello(account: Account, reference: Buffer, code: string, keys: PairingKeys): Stanza {
  const wrapped = wrapPrimaryKey(code, keys.ephemeral.pubKey);
  const attrs = { from: serverJid, type: 'link_code_companion_reg', id: newId(), t: timestamp() };
  return stanza('notification', attrs, [
    stanza('link_code_companion_reg', { stage: 'primary_hello' }, [
      stanza('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrapped),
      stanza('primary_identity_pub', {}, account.identity.pubKey),
      stanza('link_code_pairing_ref', {}, reference),
    ]),
  ]);
}

/** True for the display names that WhatsApp accepts, `Chrome (Windows)`; it answers 400 to invented ones. */
export function isGenuineDisplay(request: Stanza): boolean {
  if (!child(request, 'companion_platform_display')) return false;
  const display = bytesOf(request, 'companion_platform_display').toString();
  return /^(Chrome|Firefox|Edge|Safari|Opera) \((Windows|Mac OS|macOS|Linux|Ubuntu|Android|iOS)\)$/.test(display);
}

function serverSet(id: string, content: readonly Stanza[]): Stanza {
  return stanza('iq', { from: serverJid, type: 'set', id, xmlns: 'md', t: timestamp() }, content);
}

function newId(): string {
  return randomBytes(6).toString('hex');
}
