/**
 * How the server ends a stream. Names and status codes as Baileys 7.0.0-rc14 shows them, seen on the wire
 * (notes of 2026-11): `lastDisconnect.error.output.statusCode`.
 */
import { serverJid, type Stanza, stanza } from './stanza.js';

const endings = {
  /** 515, sent after every pairing: connect again. */
  'restart-required': stanza('stream:error', { code: '515' }),
  /** 503 */
  'service-unavailable': stanza('stream:error', { code: '503' }),
  /** 440: another connection of the same device. */
  replaced: stanza('stream:error', {}, [stanza('conflict', { type: 'replaced' })]),
  /** 401: unlinked. */
  'device-removed': stanza('stream:error', { code: '401' }, [stanza('conflict', { type: 'device_removed' })]),
  /** 500 */
  'internal-error': stanza('stream:error', { code: '500' }),
  /** 500: the server could not read us. */
  'not-well-formed': stanza('stream:error', {}, [stanza('xml-not-well-formed')]),
  /** 516 */
  'forced-logout': stanza('stream:error', { code: '516' }),
  /** 411: this account left the multi-device service. */
  downgraded: stanza('ib', { from: serverJid }, [stanza('downgrade_webclient')]),
  /** 428: the stream's end without a reason. */
  'stream-closed': stanza('xmlstreamend'),
} as const satisfies Record<string, Stanza>;

export type StreamEnd = keyof typeof endings;

/** Names of all endings, for tests that go through them. */
export const streamEnds: readonly StreamEnd[] = Object.keys(endings).filter(isStreamEnd);

export function streamEndStanza(end: StreamEnd): Stanza {
  return endings[end];
}

function isStreamEnd(name: string): name is StreamEnd {
  return Object.hasOwn(endings, name);
}
