/**
 * Linking by an eight-character code: a companion asks for one, a person types it into the phone, and the companion
 * finishes. A code is valid for its lifetime. It ends early when the companion asks for another one, or when the server
 * refreshes it.
 */
import { randomBytes } from 'node:crypto';
import { X25519 } from 'zapo-js/crypto';
import type { Account, Device } from '../devices/account.js';
import { acknowledgements, type Candidate, closedTooSoon, type LinkOptions, type LinkWaiter } from './candidate.js';
import type { ArmedFaults, PairingFault } from '../switchboard/faults.js';
import { openAdvSecret, openCompanionKey, type PairingKeys, wrapPrimaryKey } from './pairing-code.js';
import { demandPasskey, passkeyMissing } from './passkey.js';
import { serverNotification } from '../wire/server-stanza.js';
import { bytesOf, child, type Stanza, stanza } from '../wire/stanza.js';

type CodeRequest = {
  readonly candidate: Candidate;
  readonly reference: Buffer;
  readonly wrappedCompanionKey: Buffer;
  readonly endsAt: number;
  typed: Typed | null;
};

type Typed = {
  readonly keys: PairingKeys;
  readonly account: Account;
  readonly link: LinkWaiter;
  /** Resolves when the companion has acknowledged each hello for this use of its code. */
  readonly told: Promise<void>;
};

/** Sends the companion the identity that the phone signed. */
export type OfferIdentity = (
  candidate: Candidate,
  account: Account,
  advSecret: Buffer,
  link: LinkWaiter,
) => Promise<void>;

export type CodePairingsOptions = {
  readonly lifetimeMs: number;
  readonly faults: ArmedFaults;
  readonly offerIdentity: OfferIdentity;
};

export class CodePairings {
  private readonly byNumber = new Map<string, CodeRequest>();

  constructor(private readonly options: CodePairingsOptions) {}

  /** Takes a request of a companion for a code of this number. Returns the reference that the companion must repeat. */
  request(candidate: Candidate, number: string, request: Stanza): Buffer {
    const reference = randomBytes(16);
    const wrappedCompanionKey = bytesOf(request, 'link_code_pairing_wrapped_companion_ephemeral_pub');
    const endsAt = Date.now() + this.options.lifetimeMs;
    this.byNumber.set(number, { candidate, reference, wrappedCompanionKey, endsAt, typed: null });
    return reference;
  }

  /**
   * Invalidates the code of this number. The server tells the companion `times` times, and the companion asks for
   * another code. With `manual`, a person must ask for it.
   */
  refresh(number: string, { manual = false, times = 1 }: { readonly manual?: boolean; readonly times?: number }): void {
    const { candidate, reference } = this.requested(number);
    this.byNumber.delete(number);
    const attrs = { stage: 'refresh_code', ...(manual ? { force_manual_refresh: 'true' } : {}) };
    const refresh = registration(attrs, [stanza('link_code_pairing_ref', {}, reference)]);
    for (let sent = 0; sent < times; sent += 1) candidate.connection.send(refresh);
  }

  /**
   * Takes the code that a person types into the phone. Resolves when the companion has confirmed; rejects a wrong code.
   */
  async type(account: Account, code: string, { restart = true }: LinkOptions): Promise<Device> {
    const request = this.requested(account.number);
    if (Date.now() > request.endsAt) throw new Error('the pairing code has expired');
    const plainCode = code.replaceAll('-', '').toUpperCase();
    const keys = {
      ephemeral: await X25519.generateKeyPair(),
      companionEphemeral: openCompanionKey(plainCode, request.wrappedCompanionKey),
    };
    if (request.candidate.isGone) throw closedTooSoon();
    if (account.passkey?.handoff) return this.handOff(request, account);
    const hello = primaryHello(account, request.reference, wrapPrimaryKey(plainCode, keys.ephemeral.pubKey));
    return new Promise((linked, failed) => {
      const link = { linked, failed, restart };
      request.typed = { keys, account, link, told: this.sendHello(request, hello) };
    });
  }

  /** Takes the companion's last step of a pairing by code. */
  async finish(candidate: Candidate, finish: Stanza): Promise<void> {
    const request = [...this.byNumber.values()].find((open) => open.candidate === candidate);
    if (!request?.typed) throw new Error('a companion finished a pairing that no phone began');
    const { keys, account, link, told } = request.typed;
    let secret: Buffer;
    try {
      if (!bytesOf(finish, 'link_code_pairing_ref').equals(request.reference)) throw new Error('a foreign reference');
      const bundle = bytesOf(finish, 'link_code_pairing_wrapped_key_bundle');
      secret = await openAdvSecret(keys, account.identity, bytesOf(finish, 'companion_identity_public'), bundle);
    } catch (cause) {
      request.typed = null;
      return link.failed(new Error('the pairing code was wrong', { cause }));
    }
    this.byNumber.delete(account.number);
    // Not awaited: the connection can read the acknowledgements of the companion only after this call.
    void told.then(() => this.options.offerIdentity(candidate, account, secret, link)).catch(link.failed);
  }

  /** Fails the link, because the server refuses the companion's last step. */
  refuse(candidate: Candidate): void {
    const request = [...this.byNumber.values()].find((open) => open.candidate === candidate);
    request?.typed?.link.failed(new Error('the server refused the answer of the companion'));
  }

  /** Ends the codes of a client that is gone. */
  end(candidate: Candidate): void {
    for (const [number, request] of this.byNumber) {
      if (request.candidate !== candidate) continue;
      this.byNumber.delete(number);
      request.typed?.link.failed(closedTooSoon());
    }
  }

  private requested(number: string): CodeRequest {
    const request = this.byNumber.get(number);
    if (!request) throw new Error(`no companion asked for a code for ${number}`);
    return request;
  }

  private handOff({ candidate, reference }: CodeRequest, account: Account): never {
    candidate.connection.send(primaryHello(account, reference, null));
    if (account.passkey) demandPasskey(candidate, account.passkey);
    throw passkeyMissing();
  }

  /** Sends the phone's hello. If it is sent twice, the promise waits until the companion has acknowledged both. */
  private async sendHello({ candidate }: CodeRequest, hello: Stanza): Promise<void> {
    const { connection } = candidate;
    if (this.strikes('stray-hello')) connection.send(withReference(hello, randomBytes(16)));
    connection.send(hello);
    if (!this.strikes('double-hello')) return;
    connection.send(hello);
    await acknowledgements(candidate, hello, 2);
  }

  private strikes(kind: PairingFault['kind']): boolean {
    return this.options.faults.pairingFaults.take(null, null, (fault) => fault.kind === kind) !== null;
  }
}

function primaryHello(account: Account, reference: Buffer, wrappedKey: Buffer | null): Stanza {
  const wrapped = wrappedKey && [stanza('link_code_pairing_wrapped_primary_ephemeral_pub', {}, wrappedKey)];
  return registration({ stage: 'primary_hello' }, [
    ...(wrapped ?? []),
    stanza('primary_identity_pub', {}, account.identity.pubKey),
    stanza('link_code_pairing_ref', {}, reference),
  ]);
}

function withReference(hello: Stanza, reference: Buffer): Stanza {
  const { attrs = {}, content = [] } = child(hello, 'link_code_companion_reg') ?? {};
  const others = Array.isArray(content) ? content.filter(({ tag }) => tag !== 'link_code_pairing_ref') : [];
  return registration(attrs, [...others, stanza('link_code_pairing_ref', {}, reference)]);
}

function registration(attrs: Record<string, string>, content: readonly Stanza[]): Stanza {
  return serverNotification('link_code_companion_reg', [stanza('link_code_companion_reg', attrs, content)]);
}
