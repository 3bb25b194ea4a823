/**
 * Tokens that show that this account may write to somebody. Whoever knows us vouches for us with a trusted-contact token
 * (`tctoken`); a first message to a stranger carries a first-contact token (`cstoken`) made from the account's salt
 * (whatsmeow `cstoken.go`). After a message we vouch for its recipient, once a week, as WhatsApp Web does.
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

/** As long as the server was seen to say (whatsapp-rust #473: 26 weeks) where it says nothing. */
const DEFAULT_LIFE = { bucketSeconds: 604_800, buckets: 26 };
const WEEK_SECONDS = 604_800;

/** The server's properties, by their numbers: `tctoken_duration` and `tctoken_num_buckets` (zapo `spec/abprops`). */
const BUCKET_SECONDS_PROPERTY = '865';
const BUCKETS_PROPERTY = '909';
const PROPERTIES = 'CB:iq,,props';

type StoredToken = SignalDataTypeMap['tctoken'];

export class ContactTokens {
  readonly #socket: WASocket;
  /** The store itself, not Baileys' transactions on it. */
  readonly #keys: AuthenticationState['keys'];
  readonly #facts: AccountFacts;
  readonly #vouchingFor = new Set<string>();

  constructor(socket: WASocket, keys: AuthenticationState['keys'], facts: AccountFacts) {
    this.#socket = socket;
    this.#keys = keys;
    this.#facts = facts;
    // A store that refuses has ended the session already.
    socket.ws.on(PROPERTIES, (stanza: BinaryNode) => void this.#learnLife(stanza).catch(() => undefined));
  }

  /** What a message to this person carries; null when there is no token. Rejects as the store does. */
  async nodeFor(person: Person, now: number = Date.now()): Promise<BinaryNode | null> {
    // A token that came before the LID was known stands under the number.
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

  /** A token that somebody gave us, in a message or in the history. An older one replaces no newer one. */
  async note(owner: string, token: Uint8Array, timestamp: number): Promise<void> {
    const before = await this.#stored(owner);
    if (!(timestamp > 0) || Number(before?.timestamp ?? 0) > timestamp) return;
    const next = { ...before, token: Buffer.from(token), timestamp: String(timestamp) };
    await this.#keys.set({ tctoken: { [owner]: next } });
  }

  /** After a message to this person was acknowledged. Never rejects. */
  async vouch(person: Person, now: number = Date.now()): Promise<void> {
    const owner = ownerOf(person);
    if (this.#vouchingFor.has(owner)) return;
    this.#vouchingFor.add(owner);
    try {
      const seconds = Math.floor(now / 1_000);
      const noted = await this.#stored(owner);
      if (weekOf(noted?.senderTimestamp ?? 0) !== weekOf(seconds)) await this.#issue(person, seconds);
    } catch {
      // Vouched for with the next message; a store that refuses has ended the session already.
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

  /** Properties that have not changed are not said again, so what was said is kept. */
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

/** Tokens stand under the LID where it is known, as in WhatsApp Web. */
function ownerOf({ pn, lid }: Person): string {
  return lid !== null && isLid(lid) ? lid : pn;
}

function weekOf(seconds: number): number {
  return Math.floor(seconds / WEEK_SECONDS);
}

function positive(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null;
}
