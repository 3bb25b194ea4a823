/**
 * Reads two settings from WhatsApp's app state: the salt of first-contact tokens and the account's name. Baileys would
 * read all of it, download without the device's proxy, and drop the salt, which it does not know.
 *
 * The reader stores the version of each collection, so it reads a change once. A change that fails, or that a session
 * does not finish, is read with the next one.
 */
import {
  type AuthenticationState,
  type BinaryNode,
  buildAckStanza,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  proto,
  S_WHATSAPP_NET,
  toNumber,
  type WASocket,
} from 'baileys';
import type { AccountFacts } from '../people/account-facts.js';
import { takeListener } from '../socket/baileys-socket.js';
import { BoundedCache } from '../socket/bounded-cache.js';
import type { DriverLog } from '../socket/driver-log.js';
import { type AppStateChange, MissingKey, openRecord } from './app-state-records.js';
import { openFile } from './encrypted-file.js';
import type { Download } from './file-download.js';
import { bytesField } from './protobuf-field.js';

const WANTED = ['critical_block', 'regular_high'] as const;
type Collection = (typeof WANTED)[number];

/** More pages than a collection has. The limit stops at a server that always has more. */
const MOST_PAGES = 20;

/** `SyncActionValue.nctSaltSyncAction` and its `salt` (whatsmeow `WAWebProtobufSyncAction.proto`). */
const SALT_ACTION_FIELD = 80;
const SALT_FIELD = 1;

/** Settings are small. A file is decoded as a whole. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const KEYS_IN_MEMORY = 10;

const NOTIFICATION = 'CB:notification';

export type AppStateReaderParts = {
  readonly keys: AuthenticationState['keys'];
  readonly facts: AccountFacts;
  readonly log: DriverLog;
  readonly download: Download;
};

export class AppStateReader {
  readonly #socket: WASocket;
  readonly #parts: AppStateReaderParts;
  readonly #over = new AbortController();
  /** By id. There are few. */
  readonly #keys = new BoundedCache<Uint8Array>(KEYS_IN_MEMORY);
  #last: Promise<void> = Promise.resolve();

  constructor(socket: WASocket, parts: AppStateReaderParts) {
    this.#socket = socket;
    this.#parts = parts;
    const takeNotification = takeListener(socket, NOTIFICATION);
    socket.ws.on(NOTIFICATION, (stanza: BinaryNode) => {
      if (stanza.attrs['type'] === 'server_sync') void this.#changed(stanza);
      else void takeNotification(stanza);
    });
    // The phone has sent a key. Changes that were sealed with it can be read now.
    socket.ev.on('creds.update', ({ myAppStateKeyId }) => {
      if (myAppStateKeyId) for (const name of WANTED) void this.#read(name);
    });
  }

  stop(): void {
    this.#over.abort();
  }

  /** Never rejects. */
  async #changed(stanza: BinaryNode): Promise<void> {
    const names = getBinaryNodeChildren(stanza, 'collection').map(({ attrs }) => attrs['name']);
    for (const name of WANTED) if (names.includes(name)) void this.#read(name);
    const { me } = this.#socket.authState.creds;
    // Acknowledged at once, because a download may take minutes. A change that a session does not finish is read with
    // the next one.
    await this.#socket.sendNode(buildAckStanza(stanza, undefined, me?.id)).catch(() => undefined);
  }

  /** Reads one collection at a time. Never rejects. */
  #read(name: Collection): Promise<void> {
    this.#last = this.#last.then(async () => {
      try {
        for (let page = 0; page < MOST_PAGES && !this.#over.signal.aborted; page += 1) {
          if (!(await this.#readPage(name))) return;
        }
      } catch (err) {
        if (!(err instanceof MissingKey)) this.#parts.log.warn({ err, name }, 'the app state could not be read');
      }
    });
    return this.#last;
  }

  /** Returns whether there is more. */
  async #readPage(name: Collection): Promise<boolean> {
    const versions = (await this.#parts.facts.get('app-state')) ?? {};
    const version = versions[name] ?? 0;
    const attrs = { name, version: String(version), return_snapshot: String(version === 0) };
    const sync: BinaryNode = { tag: 'sync', attrs: {}, content: [{ tag: 'collection', attrs }] };
    const iq = { to: S_WHATSAPP_NET, xmlns: 'w:sync:app:state', type: 'set' };
    const answer = (await this.#socket.query({ tag: 'iq', attrs: iq, content: [sync] })) as BinaryNode | undefined;
    const collection = getBinaryNodeChild(getBinaryNodeChild(answer, 'sync'), 'collection');
    const reached = Math.max(version, await this.#takeSnapshot(collection), await this.#takePatches(collection));
    if (reached === version) return false;
    await this.#parts.facts.set('app-state', { ...versions, [name]: reached });
    return collection?.attrs['has_more_patches'] === 'true';
  }

  /** Returns the version of the snapshot, or 0 when there is none. */
  async #takeSnapshot(collection: BinaryNode | undefined): Promise<number> {
    const reference = getBinaryNodeChild(collection, 'snapshot')?.content;
    if (!(reference instanceof Uint8Array)) return 0;
    const { version, records } = proto.SyncdSnapshot.decode(await this.#fetch(reference));
    const { SET } = proto.SyncdMutation.SyncdOperation;
    for (const record of records) await this.#take(SET, record);
    return toNumber(version?.version);
  }

  async #takePatches(collection: BinaryNode | undefined): Promise<number> {
    let reached = 0;
    const parent = getBinaryNodeChild(collection, 'patches') ?? collection;
    for (const { content } of getBinaryNodeChildren(parent, 'patch')) {
      if (!(content instanceof Uint8Array)) continue;
      const { version, mutations, externalMutations } = proto.SyncdPatch.decode(content);
      const reference = externalMutations && proto.ExternalBlobReference.encode(externalMutations).finish();
      const more = reference ? proto.SyncdMutations.decode(await this.#fetch(reference)).mutations : [];
      for (const { operation, record } of [...mutations, ...more]) if (record) await this.#take(operation ?? 0, record);
      reached = Math.max(reached, toNumber(version?.version));
    }
    return reached;
  }

  async #fetch(reference: Uint8Array): Promise<Buffer> {
    const { directPath, mediaKey } = proto.ExternalBlobReference.decode(reference);
    if (!directPath || !mediaKey) throw new Error('a reference to app state says not where it is');
    const sealed = await this.#parts.download({ directPath, maxBytes: MAX_FILE_BYTES, signal: this.#over.signal });
    return openFile(sealed, mediaKey, 'md-app-state');
  }

  async #take(operation: proto.SyncdMutation.SyncdOperation, record: proto.ISyncdRecord): Promise<void> {
    const change = await openRecord(operation, record, (id) => this.#findKey(id));
    if (change !== null) await this.#apply(change);
  }

  async #findKey(id: string): Promise<Uint8Array | undefined> {
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const { [id]: key } = await this.#parts.keys.get('app-state-sync-key', [id]);
    if (key?.keyData) this.#keys.set(id, key.keyData);
    return key?.keyData ?? undefined;
  }

  async #apply({ index: [name], value }: AppStateChange): Promise<void> {
    if (name === 'nct_salt_sync') {
      const action = value === null ? null : bytesField(value, SALT_ACTION_FIELD);
      const salt = action === null ? null : bytesField(action, SALT_FIELD);
      await this.#parts.facts.set('first-contact-salt', { salt: Buffer.from(salt ?? []).toString('base64') });
    }
    if (name === 'setting_pushName' && value !== null) this.#named(proto.SyncActionValue.decode(value));
  }

  /** Stores the name of the account. Other people see an account typing only if it has a name. */
  #named({ pushNameSetting }: proto.SyncActionValue): void {
    const { me } = this.#socket.authState.creds;
    const name = pushNameSetting?.name;
    if (me && name && me.name !== name) this.#socket.ev.emit('creds.update', { me: { ...me, name } });
  }
}
