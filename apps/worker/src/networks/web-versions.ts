/**
 * Chooses the version of WhatsApp's web client that this worker's devices appear as. A pinned version comes first. Otherwise
 * it is the last version that a lookup found, or the built-in one if that is newer. One worker looks the version up for all
 * workers. A failed lookup changes nothing.
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
  /** The operator's setting: no other version is used. */
  readonly pinned: WebVersion | null;
  /** Looks up the version of the web client; null if lookups are off. */
  readonly lookUp: ((signal: AbortSignal) => Promise<WebVersion>) | null;
  /** No lookup while a device has a proxy. */
  readonly unlessProxied: boolean;
  /** Milliseconds of a clock that goes on while this process stands still. Default: `performance.now`. */
  readonly now?: () => number;
  readonly log: Logger;
};

export type VersionInUse = {
  readonly version: WebVersion;
  readonly source: VersionSource;
  readonly firstSeenAt: Date;
  /** The last time that the network refused this version to a device of this worker. */
  readonly refusedAt: Date | null;
};

const whatToSet =
  'Devices have proxies, so no worker shows WhatsApp its own address. Set KURIR_WHATSAPP_VERSION_FETCH to a proxy, to direct or to off.';

/** How long no lookup is claimed after Postgres said that none is allowed or needed. */
const quietMs = 300_000;

export class WebVersions {
  readonly #options: WebVersionsOptions;
  readonly #listeners = new Set<() => void>();
  #inUse: VersionInUse;
  /** The worker has just started, or the network refused a device. */
  #isUrgent = true;
  #hasWarnedProxied = false;
  /** No lookup is claimed until then. With `no-device`, the next session or link attempt ends the wait. */
  #quiet: { readonly until: number; readonly reason: 'proxied' | 'no-device' } | null = null;

  private constructor(options: WebVersionsOptions, inUse: VersionInUse) {
    this.#options = options;
    this.#inUse = inUse;
  }

  /** Reads the stored version, and looks nothing up yet. */
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

  /** The version for a session or a link attempt that begins now. */
  current(): WebVersion {
    if (this.#quiet?.reason === 'no-device') this.#quiet = null;
    return this.#inUse.version;
  }

  /** Calls `listener` when another version is in use: devices that the network refused may then connect at once. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The network refused a device that appeared as `version`, if the driver knows it. */
  refused(version: string | null): void {
    if (version !== null && isWebVersion(version) && version !== this.#inUse.version) return this.#notifyListeners();
    this.#inUse = { ...this.#inUse, refusedAt: new Date() };
    this.#isUrgent = true;
  }

  /** Takes over the version that other workers learned, and looks it up if this worker may. Run it often. */
  async tend(signal: AbortSignal): Promise<void> {
    const { database, pinned, lookUp } = this.#options;
    if (pinned !== null) return;
    const { current, isLookupDue } = await readWhatsappVersions(database);
    this.#adopt(current);
    if (lookUp === null || !(isLookupDue || this.#isUrgent) || this.#isQuiet() || !(await this.#claimLookup())) return;
    const learned = await this.#lookUp(lookUp, signal);
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

  async #claimLookup(): Promise<boolean> {
    const { database, unlessProxied } = this.#options;
    const claim = await claimVersionLookup(database, { isUrgent: this.#isUrgent, unlessProxied });
    this.#isUrgent = false;
    const isQuiet = claim === 'proxied' || claim === 'no-device';
    this.#quiet = isQuiet ? { until: this.#now() + quietMs, reason: claim } : null;
    if (claim === 'proxied') this.#warnProxied();
    return claim === 'yours';
  }

  async #lookUp(lookUp: NonNullable<WebVersionsOptions['lookUp']>, signal: AbortSignal): Promise<WebVersion | null> {
    try {
      return await lookUp(signal);
    } catch (err) {
      if (!signal.aborted)
        this.#options.log.warn({ err }, 'version of the web client not learned, will be tried again');
      return null;
    }
  }

  #warnProxied(): void {
    if (this.#hasWarnedProxied) return;
    this.#hasWarnedProxied = true;
    this.#options.log.warn({ instruction: whatToSet }, 'version of the web client not asked for');
  }

  #adopt(current: SeenVersion | null): void {
    if (current === null || !isWebVersion(current.version)) return;
    const { version, source, firstSeenAt } = current;
    if (version === this.#inUse.version || isNewerVersion(this.#options.builtIn, version)) return;
    this.#inUse = { version, source, firstSeenAt, refusedAt: null };
    this.#options.log.info({ version, source }, 'another version of the web client in use');
    this.#notifyListeners();
  }

  #notifyListeners(): void {
    for (const listener of this.#listeners) listener();
  }
}

const dayMs = 86_400_000;

/** For the health endpoint. The age counts from the first time this gateway saw it; WhatsApp may have published it earlier. */
export function showVersionInUse({ version, source, firstSeenAt, refusedAt }: VersionInUse, now = Date.now()) {
  return {
    version,
    source,
    first_seen_at: firstSeenAt.toISOString(),
    days_since_first_seen: Math.max(0, Math.floor((now - firstSeenAt.getTime()) / dayMs)),
    refused_at: refusedAt?.toISOString() ?? null,
  };
}
