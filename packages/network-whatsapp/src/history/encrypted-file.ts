/**
 * Opens a file that the account's own phone encrypted and that WhatsApp's media host stores. It is AES-256-CBC,
 * followed by a MAC. A changed file is refused, because the host is not trusted.
 */
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { getMediaKeys, type MediaType } from 'baileys';

const MAC_BYTES = 10;

/** Rejects when the file is damaged. */
export async function openFile(sealed: Uint8Array, mediaKey: Uint8Array, type: MediaType): Promise<Buffer> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type);
  if (macKey === undefined || macKey === null) throw new Error('no key for the MAC of a file');
  const ciphertext = sealed.subarray(0, -MAC_BYTES);
  const mac = createHmac('sha256', macKey).update(iv).update(ciphertext).digest().subarray(0, MAC_BYTES);
  const given = sealed.subarray(-MAC_BYTES);
  if (given.length !== MAC_BYTES || !timingSafeEqual(mac, given)) throw new Error('a file is damaged');
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}
