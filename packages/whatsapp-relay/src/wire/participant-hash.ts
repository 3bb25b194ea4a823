/**
 * The hash of a list of devices. Client and server compare it to find out whether they know the same devices. It is
 * SHA-256 over the sorted addresses, written with agent and device. Only the first six bytes count (whatsmeow
 * `send.go`, `participantListHashV2`).
 */
import { createHash } from 'node:crypto';
import { parseJid } from './jid.js';

const countingBytes = 6;

export function participantHash(jids: readonly string[]): string {
  const written = jids.map(withAgent).sort().join('');
  const digest = createHash('sha256').update(written).digest().subarray(0, countingBytes);
  return `2:${digest.toString('base64')}`;
}

function withAgent(jid: string): string {
  const parsed = parseJid(jid);
  return parsed ? `${parsed.user}.0:${parsed.device}@${parsed.server}` : jid;
}
