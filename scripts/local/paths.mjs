// The paths of this checkout. A local run writes only below `.kurir/`, which git ignores.
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const defaultStateDir = join(root, '.kurir');

export const fromRoot = (...parts) => join(root, ...parts);

/**
 * Makes the state folder. Its files have the mode 0600. Other users may pass through the folder, but not list it: if
 * root starts Postgres, it runs as another user and has its data inside.
 */
export function makeStateDir(stateDir) {
  mkdirSync(stateDir, { recursive: true });
  if (process.platform === 'win32') return stateDir;
  if (statSync(stateDir).uid !== process.getuid()) {
    throw new Error(`${stateDir} belongs to another user. Run as that user, or remove the folder.`);
  }
  chmodSync(stateDir, 0o711);
  return stateDir;
}
