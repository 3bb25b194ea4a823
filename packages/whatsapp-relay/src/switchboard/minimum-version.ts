/**
 * The oldest version of the web client that the server admits. WhatsApp raises it every few months. An older client
 * gets `<failure reason="405"/>` (Baileys #2370, #2376; whatsmeow `ConnectFailureClientOutdated`).
 */
import type { AppVersion } from '../wire/protobuf.js';

export class MinimumVersion {
  private oldest: AppVersion;

  constructor(version = '0.0.0') {
    this.oldest = parse(version);
  }

  /** Applies to later logins and registrations. Clients that are logged in stay. */
  raise(version: string): void {
    this.oldest = parse(version);
  }

  admits(version: AppVersion): boolean {
    const differing = version.findIndex((part, i) => part !== this.oldest[i]);
    return differing === -1 || (version[differing] ?? 0) > (this.oldest[differing] ?? 0);
  }
}

function parse(version: string): AppVersion {
  const [, major, minor, revision] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  if (revision === undefined) throw new Error(`${version} is no version like 2.3000.1`);
  return [Number(major), Number(minor), Number(revision)];
}
