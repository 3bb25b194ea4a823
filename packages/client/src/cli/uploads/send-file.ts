/** Sends a file of rows in parts. */
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { KurirUsageError } from '../../calls/errors.js';
import type { Cli } from '../terminal/cli.js';
import { showBar } from '../terminal/progress.js';

/** Memory holds one part. Returns the id of the upload. */
export async function sendFile(cli: Cli, file: string): Promise<string> {
  const handle = await open(resolve(cli.surroundings.folder, file)).catch((cause: unknown) => {
    throw new KurirUsageError(`${file} cannot be read.`, { cause });
  });
  try {
    const { size } = await handle.stat();
    if (size === 0) throw new KurirUsageError(`${file} is empty.`);
    const { uploadId, partMaxBytes } = await cli.client.createUpload({ bytes: size, fileName: basename(file) });
    const part = Buffer.alloc(Math.min(size, partMaxBytes));
    for (let [at, number] = [0, 1]; at < size; number++) {
      const { bytesRead } = await handle.read(part, 0, part.length, at);
      if (bytesRead === 0) throw new KurirUsageError(`${file} became shorter meanwhile.`);
      const data = part.subarray(0, bytesRead).toString('base64');
      await cli.client.addUploadPart(uploadId, { number, data });
      at += bytesRead;
      showBar(cli, at / size, 'sent');
    }
    return uploadId;
  } finally {
    await handle.close();
  }
}
