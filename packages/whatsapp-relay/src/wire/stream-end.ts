/**
 * The ways in which the server ends a stream. The status codes are those that Baileys 7.0.0-rc14 shows in
 * `lastDisconnect.error.output.statusCode`, as observed on the wire in November 2026.
 */
import { serverJid, type Stanza, stanza } from './stanza.js';

const endings = {
  /** 515: the server sends it after every pairing, and the client connects again. */
  'restart-required': stanza('stream:error', { code: '515' }),
  /** 503 */
  'service-unavailable': stanza('stream:error', { code: '503' }),
  /** 440: another connection of the same device. */
  replaced: stanza('stream:error', {}, [stanza('conflict', { type: 'replaced' })]),
  /** 401: the device was unlinked. */
  'device-removed': stanza('stream:error', { code: '401' }, [stanza('conflict', { type: 'device_removed' })]),
  /** 500 */
  'internal-error': stanza('stream:error', { code: '500' }),
  /** 500: the server could not parse a stanza of the client. */
  'not-well-formed': stanza('stream:error', {}, [stanza('xml-not-well-formed')]),
  /** 516 */
  'forced-logout': stanza('stream:error', { code: '516' }),
  /** 411: this account left the multi-device service. */
  downgraded: stanza('ib', { from: serverJid }, [stanza('downgrade_webclient')]),
  /** 428: the stream ends without a reason. */
  'stream-closed': stanza('xmlstreamend'),
} as const satisfies Record<string, Stanza>;

export type StreamEnd = keyof typeof endings;

/** All endings, for tests that try each of them. */
export const streamEnds: readonly StreamEnd[] = Object.keys(endings).filter(isStreamEnd);

export function streamEndStanza(end: StreamEnd): Stanza {
  return endings[end];
}

function isStreamEnd(name: string): name is StreamEnd {
  return Object.hasOwn(endings, name);
}
