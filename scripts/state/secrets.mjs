// The keys of a local run: made once, kept in the state folder, given to the programs by environment only.
// What is set in the environment already wins.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.mjs';

const NAMES = ['KURIR_MASTER_KEY', 'KURIR_INTERNAL_KEY'];

/** `{KURIR_MASTER_KEY, KURIR_INTERNAL_KEY}`, without those that `env` sets, directly or as a file. */
export function localSecrets(stateDir, env) {
  const path = join(stateDir, 'secrets.json');
  const kept = readJson(path) ?? {};
  const secrets = Object.fromEntries(NAMES.map((name) => [name, kept[name] ?? randomBytes(32).toString('base64')]));
  if (NAMES.some((name) => !kept[name])) writeJson(path, { ...kept, ...secrets });
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => !env[name] && !env[`${name}_FILE`]));
}
