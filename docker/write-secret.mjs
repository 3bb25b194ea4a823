import { chmodSync, closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const onlyUs = 0o400;

function syncFolder(path) {
  const opened = openSync(path, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

/** The file has all of its text or does not exist, even if the machine loses its power. */
export function writeSecret(path, text, mode = onlyUs) {
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  chmodSync(`${path}.new`, mode);
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
}
