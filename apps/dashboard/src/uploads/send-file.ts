/** Sends a file to the gateway in parts. A part that got no answer is sent again, because the same part twice is one. */
import { limits } from '@kurir/contracts/dashboard';
import { ApiFailure } from '../http/api-failure.js';
import { call } from '../http/call.js';
import { FileTroubleError, troubleOf } from './file-trouble.js';

/** Small enough for a slow network, so that a broken part costs little. */
const partBytes = 1_000_000;
const tries = 4;
const retryMs = 1_500;

/** The bytes as base64. The browser does it faster than a loop here could. */
function base64Of(part: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      // readAsDataURL gives a text: the kind of the file, a comma, and the bytes.
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve(address.slice(address.indexOf(',') + 1));
    });
    // The file was moved or deleted, or the phone took the right to read it away.
    reader.addEventListener('error', () => reject(new FileTroubleError('gone', { cause: reader.error })));
    reader.readAsDataURL(part);
  });
}

const mayTryAgain = (failure: unknown): boolean =>
  failure instanceof ApiFailure && ['OFFLINE', 'UNREADABLE', 'SERVICE_UNAVAILABLE'].includes(failure.code);

async function sendPart(uploadId: string, number: number, part: Blob): Promise<void> {
  const data = await base64Of(part);
  for (let left = tries - 1; ; left--) {
    try {
      await call('addUploadPart', { params: { upload_id: uploadId }, body: { number, data } });
      return;
    } catch (failure) {
      if (left === 0 || !mayTryAgain(failure)) throw failure;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }
}

/** A file that was sent, while the page is open. A broadcast uses an upload once, and the next one needs the file again. */
const sent = new Map<string, File>();

/** Sends the file of an upload that is used up again. Throws if the page was reloaded since. */
export function sendAgain(uploadId: string): Promise<string> {
  const file = sent.get(uploadId);
  if (file === undefined) throw new FileTroubleError('gone');
  return sendFile(file, () => undefined);
}

/** Returns the id of the upload. `onSent` gets the sent share, from 0 to 1. */
export async function sendFile(file: File, onSent: (share: number) => void): Promise<string> {
  const trouble = await troubleOf(file);
  if (trouble !== null) throw new FileTroubleError(trouble);
  const { size, name } = file;
  const body = { bytes: size, file_name: name.slice(-limits.fileNameMaxLength) };
  const { upload_id: uploadId } = await call('createUpload', { body });
  for (let [at, number] = [0, 1]; at < size; at += partBytes, number++) {
    onSent(at / size);
    await sendPart(uploadId, number, file.slice(at, at + partBytes));
  }
  onSent(1);
  sent.set(uploadId, file);
  return uploadId;
}
