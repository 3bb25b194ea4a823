/**
 * Tokens that prove that this account may write to somebody. A person who knows us vouches for us with a
 * trusted-contact token (`tctoken`). A first message to a new contact carries a first-contact token (`cstoken`), which
 * is made from the account's salt (whatsmeow `cstoken.go`). After a message we vouch for its recipient, once a week, as
 * WhatsApp Web does.
 */
import { createHmac } from 'node:crypto';
import {
  type AuthenticationState,
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  S_WHATSAPP_NET,
  type SignalDataTypeMap,
  type WASocket,
} from 'baileys';
import { isLid } from '../socket/jid.js';
import type { AccountFacts } from './account-facts.js';
import type { Person } from './person.js';

/** How long tokens are valid if the server does not say it, as observed in whatsapp-rust #473. */
const DEFAULT_LIFE = { bucketSeconds: 604_800, buckets: 26 };
const WEEK_SECONDS = 604_800;

/** The numbers of the server's properties `tctoken_duration` and `tctoken_num_buckets` (zapo `spec/abprops`). */
const BUCKET_SECONDS_PROPERTY = '865';
const BUCKETS_PROPERTY = '909';
const PROPERTIES = 'CB:iq,,props';

type StoredToken = SignalDataTypeMap['tctoken'];

export class ContactTokens {
  readonly #socket: WASocket;
  /** The store itself, without Baileys' transactions. */
  readonly #keys: AuthenticationState['keys'];
  readonly #facts: AccountFacts;
  readonly #vouchingFor = new Set<string>();

  constructor(socket: WASocket, keys: AuthenticationState['keys'], facts: AccountFacts) {
    this.#socket = socket;
    this.#keys = keys;
    this.#facts = facts;
    // A store that rejects has ended the session already.
    socket.ws.on(PROPERTIES, (stanza: BinaryNode) => void this.#learnLife(stanza).catch(() => undefined));
  }

  /** The token for a message to this person, or null when there is none. Rejects as the store does. */
  async nodeFor(person: Person, now: number = Date.now()): Promise<BinaryNode | null> {
    // A token that arrived before the LID was known is stored under the number.
    for (const owner of new Set([ownerOf(person), person.pn])) {
      const { token, timestamp } = (await this.#stored(owner)) ?? {};
      const isGood = token !== undefined && token.length > 0 && !(await this.#isExpired(Number(timestamp), now));
      if (isGood) return { tag: 'tctoken', attrs: {}, content: token };
    }
    const fact = person.lid === null ? null : await this.#facts.get('first-contact-salt');
    if (fact === null || fact.salt === '' || person.lid === null) return null;
    const content = createHmac('sha256', Buffer.from(fact.salt, 'base64')).update(person.lid).digest();
    return { tag: 'cstoken', attrs: {}, content };
  }

  /**
   * Stores a token that somebody gave us, in a message or in the history. An older token never replaces a newer one.
   */
  async note(owner: string, token: Uint8Array, timestamp: number): Promise<void> {
    const before = await this.#stored(owner);
    if (!(timestamp > 0) || Number(before?.timestamp ?? 0) > timestamp) return;
    const next = { ...before, token: Buffer.from(token), timestamp: String(timestamp) };
    await this.#keys.set({ tctoken: { [owner]: next } });
  }

  /** Vouches for this person. Call it after the network acknowledged a message to the person. Never rejects. */
  async vouch(person: Person, now: number = Date.now()): Promise<void> {
    const owner = ownerOf(person);
    if (this.#vouchingFor.has(owner)) return;
    this.#vouchingFor.add(owner);
    try {
      const seconds = Math.floor(now / 1_000);
      const noted = await this.#stored(owner);
      if (weekOf(noted?.senderTimestamp ?? 0) !== weekOf(seconds)) await this.#issue(person, seconds);
    } catch {
      // The next message tries it again. A store that rejects has ended the session already.
    } finally {
      this.#vouchingFor.delete(owner);
    }
  }

  async #issue(person: Person, seconds: number): Promise<void> {
    const owner = ownerOf(person);
    const jid = this.#socket.serverProps.lidTrustedTokenIssueToLid ? owner : person.pn;
    const token: BinaryNode = { tag: 'token', attrs: { jid, t: String(seconds), type: 'trusted_contact' } };
    const tokens: BinaryNode = { tag: 'tokens', attrs: {}, content: [token] };
    const attrs = { to: S_WHATSAPP_NET, type: 'set', xmlns: 'privacy' };
    const answer = (await this.#socket.query({ tag: 'iq', attrs, content: [tokens] })) as BinaryNode | undefined;
    for (const given of getBinaryNodeChildren(getBinaryNodeChild(answer, 'tokens'), 'token')) {
      if (given.content instanceof Uint8Array) await this.note(owner, given.content, Number(given.attrs['t']));
    }
    const before = await this.#stored(owner);
    const next = { token: Buffer.alloc(0), ...before, senderTimestamp: seconds };
    await this.#keys.set({ tctoken: { [owner]: next } });
  }

  async #stored(owner: string): Promise<StoredToken | undefined> {
    const { [owner]: stored } = await this.#keys.get('tctoken', [owner]);
    return stored;
  }

  async #isExpired(timestamp: number, now: number): Promise<boolean> {
    const { bucketSeconds, buckets } = (await this.#facts.get('token-life')) ?? DEFAULT_LIFE;
    const oldestBucket = Math.floor(now / 1_000 / bucketSeconds) - (buckets - 1);
    return !(timestamp >= oldestBucket * bucketSeconds);
  }

  /** The server does not repeat properties that have not changed, so they are stored. */
  async #learnLife(stanza: BinaryNode): Promise<void> {
    const properties = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'props'), 'prop');
    const valueOf = (code: string) =>
      Number(properties.find(({ attrs }) => attrs['config_code'] === code)?.attrs['config_value']);
    const before = (await this.#facts.get('token-life')) ?? DEFAULT_LIFE;
    const bucketSeconds = positive(valueOf(BUCKET_SECONDS_PROPERTY)) ?? before.bucketSeconds;
    const buckets = positive(valueOf(BUCKETS_PROPERTY)) ?? before.buckets;
    if (bucketSeconds === before.bucketSeconds && buckets === before.buckets) return;
    await this.#facts.set('token-life', { bucketSeconds, buckets });
  }
}

/** Tokens are stored under the LID if it is known, as in WhatsApp Web. */
function ownerOf({ pn, lid }: Person): string {
  return lid !== null && isLid(lid) ? lid : pn;
}

function weekOf(seconds: number): number {
  return Math.floor(seconds / WEEK_SECONDS);
}

function positive(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null;
}
