/**
 * The hash with which the server compares the devices of a message with the devices that it knows (whatsmeow
 * `send.go`).
 */
import { createHash } from 'node:crypto';
import { jidDecode } from 'baileys';

const HASH_BYTES = 6;

/** `2:` and six bytes in base64, from the names of all devices, including this one. */
export function participantHash(devices: readonly string[]): string {
  const names = devices.map(deviceName).toSorted();
  const digest = createHash('sha256').update(names.join('')).digest();
  return `2:${digest.subarray(0, HASH_BYTES).toString('base64').replace(/=+$/, '')}`;
}

function deviceName(jid: string): string {
  const { user = '', device = 0, server = '' } = jidDecode(jid) ?? {};
  return `${user}.0:${device}@${server}`;
}
