// A log file that cannot fill the disk. At its limit it replaces `name.log.1`.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const MAX_BYTES = 5 * 1024 * 1024;

export function openLogFile(path, maxBytes = MAX_BYTES) {
  let file = openSync(path, 'a', 0o600);
  let bytes = fstatSync(file).size;

  function rotate() {
    closeSync(file);
    renameSync(path, `${path}.1`);
    file = openSync(path, 'a', 0o600);
    bytes = 0;
  }

  return {
    path,
    writeLine(line) {
      if (bytes > maxBytes) rotate();
      bytes += writeSync(file, `${line}\n`);
    },
    close: () => closeSync(file),
  };
}
