/**
 * The memory of a relay across restarts, so that linked companions can log in again. It holds the relay's identity, the
 * accounts, and their devices with public keys and waiting stanzas. All are plain values, which `node:v8` can write and
 * read.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { RememberedAccount } from '../devices/accounts.js';
import type { ServerIdentity } from '../wire/certificate-chain.js';

export type RememberedRelay = {
  readonly identity: ServerIdentity;
  readonly accounts: readonly RememberedAccount[];
};

/** Writes a temporary file and renames it, so that a reader never finds half a file. */
export function writeRemembered(file: string, remembered: unknown): void {
  const half = `${file}.${process.pid}`;
  writeFileSync(half, serialize(remembered), { mode: 0o600 });
  renameSync(half, file);
}

/** Returns null if there is no such file. Reads only files that `writeRemembered` of the same version wrote. */
export function readRemembered(file: string): unknown {
  try {
    return deserialize(readFileSync(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read; remove it, and link the devices anew`, { cause: error });
  }
}
