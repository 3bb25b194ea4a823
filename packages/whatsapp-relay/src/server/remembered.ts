/**
 * What a relay remembers over a restart, so that linked companions log in again as if it had never been away: its own
 * identity, the accounts, their devices with the keys that others can fetch, and what waits for them. A copy of plain
 * values; `node:v8` can write and read it.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { RememberedAccount } from '../devices/accounts.js';
import type { ServerIdentity } from '../wire/certificate-chain.js';

export type RememberedRelay = {
  readonly identity: ServerIdentity;
  readonly accounts: readonly RememberedAccount[];
};

/** Written under another name first: a file that is there is whole. */
export function writeRemembered(file: string, remembered: unknown): void {
  const half = `${file}.${process.pid}`;
  writeFileSync(half, serialize(remembered), { mode: 0o600 });
  renameSync(half, file);
}

/** Null when there is no such file. Only what `writeRemembered` of the same version wrote can be read. */
export function readRemembered(file: string): unknown {
  try {
    return deserialize(readFileSync(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read; remove it, and link the devices anew`, { cause: error });
  }
}
