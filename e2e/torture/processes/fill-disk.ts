/** Fills a file system for a while. */
import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const prefix = 'ballast-';
let fillings = 0;

/** The last part is written, because a reservation of space needs some space itself. */
const writtenBytes = 32 * 2 ** 20;
const chunk = Buffer.alloc(2 ** 20);

function writeUntilFull(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let written = 0; written < 2 * writtenBytes; written += chunk.length) writeSync(file, chunk);
  } catch {
    // The disk is full, which is the purpose.
  } finally {
    closeSync(file);
  }
}

/** Two calls may overlap. The disk has room again when both have removed their own files. */
export async function fillDisk(disk: string, forMs: number): Promise<void> {
  const ballast = join(disk, `${prefix}${++fillings}`);
  const { bavail, bsize } = statfsSync(disk);
  const reserved = bavail * bsize - writtenBytes;
  if (reserved > 0) await run('fallocate', ['-l', String(reserved), ballast]);
  writeUntilFull(ballast);
  await sleep(forMs);
  rmSync(ballast, { force: true });
}

/** Removes the files with which an interrupted run filled a disk. */
export function emptyDisk(disk: string): void {
  for (const name of readdirSync(disk)) if (name.startsWith(prefix)) rmSync(join(disk, name));
}
