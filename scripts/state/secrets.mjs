// The keys of a local run. They are made once, kept in the state folder, and given to programs by environment only. A
// value in the environment goes first.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.mjs';

const NAMES = ['KURIR_MASTER_KEY', 'KURIR_INTERNAL_KEY'];

/** Returns `{KURIR_MASTER_KEY, KURIR_INTERNAL_KEY}`, without those that `env` sets, directly or as a file. */
export function localSecrets(stateDir, env) {
  const path = join(stateDir, 'secrets.json');
  const kept = readJson(path) ?? {};
  const secrets = Object.fromEntries(NAMES.map((name) => [name, kept[name] ?? randomBytes(32).toString('base64')]));
  if (NAMES.some((name) => !kept[name])) writeJson(path, { ...kept, ...secrets });
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => !env[name] && !env[`${name}_FILE`]));
}
