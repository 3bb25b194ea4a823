/**
 * Which version of WhatsApp's web client the devices of this worker appear as: the pinned one, or what the web client said
 * last, or a newer built-in one. One worker asks the web client for all of them, however many run this and however often.
 * A failed lookup keeps what is known.
 */
import {
  claimVersionLookup,
  type Database,
  noteWhatsappVersion,
  readWhatsappVersions,
  type SeenVersion,
  storeLearnedVersion,
  type VersionSource,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { isNewerVersion, isWebVersion, type WebVersion } from '@kurir/network-whatsapp';

export type WebVersionsOptions = {
  readonly database: Database;
  readonly builtIn: WebVersion;
  /** Set by the operator: this one and no other. */
  readonly pinned: WebVersion | null;
  /** Asks the web client; null: nobody is asked. */
  readonly lookUp: ((signal: AbortSignal) => Promise<WebVersion>) | null;
  /** Not while a device has a proxy. */
  readonly unlessProxied: boolean;
  /** Milliseconds by a clock that goes on while this process stands still. */
  readonly now?: () => number;
  readonly log: Logger;
};

export type VersionInUse = {
  readonly version: WebVersion;
  readonly source: VersionSource;
  readonly firstSeenAt: Date;
  /** When the network last refused it to a device of this worker. */
  readonly refusedAt: Date | null;
};

const whatToSet =
  'Devices have proxies, so no worker shows WhatsApp its own address. Set KURIR_WHATSAPP_VERSION_FETCH to a proxy, to direct or to off.';

/** After the word that nobody may ask, or needs to. */
const quietMs = 300_000;

export class WebVersions {
  readonly #options: WebVersionsOptions;
  readonly #listeners = new Set<() => void>();
  #inUse: VersionInUse;
  /** This worker has just started, or a device was refused. */
  #isUrgent = true;
  #hasSaidProxied = false;
  /** Until then it is not asked whether a lookup may be made; for `no-device` a session or a link attempt ends that. */
  #quiet: { readonly until: number; readonly turn: 'proxied' | 'no-device' } | null = null;

  private constructor(options: WebVersionsOptions, inUse: VersionInUse) {
    this.#options = options;
    this.#inUse = inUse;
  }

  /** Reads what is stored, and asks nobody yet. */
  static async open(options: WebVersionsOptions): Promise<WebVersions> {
    const { database, builtIn, pinned, log } = options;
    const version = pinned ?? builtIn;
    const source = pinned === null ? 'built-in' : 'setting';
    const { firstSeenAt } = await noteWhatsappVersion(database, version, source);
    const versions = new WebVersions(options, { version, source, firstSeenAt, refusedAt: null });
    if (pinned === null) versions.#adopt((await readWhatsappVersions(database)).current);
    else if (isNewerVersion(builtIn, pinned))
      log.warn({ version, builtIn }, 'KURIR_WHATSAPP_VERSION is older than the built-in version');
    log.info({ version: versions.inUse.version, source: versions.inUse.source }, 'version of the web client');
    return versions;
  }

  get inUse(): VersionInUse {
    return this.#inUse;
  }

  /** For a session or a link attempt that begins now. */
  current(): WebVersion {
    if (this.#quiet?.turn === 'no-device') this.#quiet = null;
    return this.#inUse.version;
  }

  /** Called when another version is in use than before: who was refused may connect at once. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The network refused a device. `version`: the one that it appeared as, where that is known. */
  refused(version: string | null): void {
    if (version !== null && isWebVersion(version) && version !== this.#inUse.version) return this.#tellChange();
    this.#inUse = { ...this.#inUse, refusedAt: new Date() };
    this.#isUrgent = true;
  }

  /** Takes over what other workers learned, and asks the web client when it is this worker's turn. Run it often. */
  async tend(signal: AbortSignal): Promise<void> {
    const { database, pinned, lookUp } = this.#options;
    if (pinned !== null) return;
    const { current, isLookupDue } = await readWhatsappVersions(database);
    this.#adopt(current);
    if (lookUp === null || !(isLookupDue || this.#isUrgent) || this.#isQuiet() || !(await this.#isOurTurn())) return;
    const learned = await this.#ask(lookUp, signal);
    if (learned === null) return;
    await storeLearnedVersion(database, learned);
    this.#adopt((await readWhatsappVersions(database)).current);
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  #isQuiet(): boolean {
    return this.#quiet !== null && this.#now() < this.#quiet.until;
  }

  async #isOurTurn(): Promise<boolean> {
    const { database, unlessProxied } = this.#options;
    const turn = await claimVersionLookup(database, { isUrgent: this.#isUrgent, unlessProxied });
    this.#isUrgent = false;
    this.#quiet = turn === 'proxied' || turn === 'no-device' ? { until: this.#now() + quietMs, turn } : null;
    if (turn === 'proxied') this.#sayProxied();
    return turn === 'yours';
  }

  async #ask(lookUp: NonNullable<WebVersionsOptions['lookUp']>, signal: AbortSignal): Promise<WebVersion | null> {
    try {
      return await lookUp(signal);
    } catch (err) {
      if (!signal.aborted)
        this.#options.log.warn({ err }, 'version of the web client not learned, will be tried again');
      return null;
    }
  }

  #sayProxied(): void {
    if (this.#hasSaidProxied) return;
    this.#hasSaidProxied = true;
    this.#options.log.warn({ instruction: whatToSet }, 'version of the web client not asked for');
  }

  #adopt(current: SeenVersion | null): void {
    if (current === null || !isWebVersion(current.version)) return;
    const { version, source, firstSeenAt } = current;
    if (version === this.#inUse.version || isNewerVersion(this.#options.builtIn, version)) return;
    this.#inUse = { version, source, firstSeenAt, refusedAt: null };
    this.#options.log.info({ version, source }, 'another version of the web client in use');
    this.#tellChange();
  }

  #tellChange(): void {
    for (const listener of this.#listeners) listener();
  }
}

const dayMs = 86_400_000;

/** For the health answer. Its age counts from when this gateway first saw it; WhatsApp may have published it earlier. */
export function showVersionInUse({ version, source, firstSeenAt, refusedAt }: VersionInUse, now = Date.now()) {
  return {
    version,
    source,
    first_seen_at: firstSeenAt.toISOString(),
    days_since_first_seen: Math.max(0, Math.floor((now - firstSeenAt.getTime()) / dayMs)),
    refused_at: refusedAt?.toISOString() ?? null,
  };
}
