/** Stanzas that the server itself starts. */
import { randomBytes } from 'node:crypto';
import { serverJid, type Stanza, stanza, timestamp } from './stanza.js';

export function newStanzaId(): string {
  return randomBytes(6).toString('hex');
}

export function serverSet(id: string, content: readonly Stanza[]): Stanza {
  return stanza('iq', { from: serverJid, type: 'set', id, xmlns: 'md', t: timestamp() }, content);
}

export function serverNotification(type: string, content: readonly Stanza[]): Stanza {
  return stanza('notification', { from: serverJid, type, id: newStanzaId(), t: timestamp() }, content);
}
