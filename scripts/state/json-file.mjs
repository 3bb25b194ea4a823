// Small JSON files that only their owner may read. A reader never sees half a file.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Returns the content, or null if there is no such file. */
export function readJson(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON; repair or remove it.`, { cause: error });
  }
}

export function writeJson(path, value) {
  const half = `${path}.${process.pid}`;
  writeFileSync(half, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(half, path);
}
