import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KurirUsageError } from '../../calls/errors.js';
import type { Surroundings } from './cli.js';

export async function readText(stdin: Surroundings['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads the bytes of `file`, relative to `folder`. Throws a KurirUsageError that names the file. */
export async function readBytes(folder: string, file: string): Promise<Buffer> {
  try {
    return await readFile(resolve(folder, file));
  } catch (cause) {
    throw new KurirUsageError(`${file} cannot be read.`, { cause });
  }
}
