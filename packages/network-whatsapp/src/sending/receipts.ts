/** Reads receipt stanzas: which of our messages were delivered or read, for either address of the reader. */
import type { Receipt } from '@kurir/network';
import { areJidsSameUser, type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import type { OwnAddresses } from '../socket/baileys-socket.js';
import { isPerson } from '../socket/jid.js';

/**
 * Types in the stanza. Other types (`retry`, `inactive`, `sender`, `read-self`, `hist_sync`) do not say what the
 * recipient saw.
 */
const STATUS_OF_TYPE: Readonly<Record<string, Receipt['status']>> = {
  delivery: 'delivered',
  read: 'read',
  played: 'read',
};

/** Empty when the stanza reports neither. */
export function receiptsOf(stanza: BinaryNode, me: OwnAddresses): readonly Receipt[] {
  const { attrs } = stanza;
  const status = STATUS_OF_TYPE[attrs['type'] ?? 'delivery'];
  const { from, id } = attrs;
  if (status === undefined || id === undefined || !isPerson(from) || isOwn(from, me)) return [];
  const more = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'list'), 'item').map((item) => item.attrs['id']);
  return [id, ...more].filter((each) => each !== undefined).map((networkMessageId) => ({ networkMessageId, status }));
}

/**
 * Whether the address is this account's. Its other devices send receipts, too, but their copy is not the recipient's.
 */
export function isOwn(jid: string, me: OwnAddresses): boolean {
  return areJidsSameUser(jid, me.id) || (me.lid !== undefined && areJidsSameUser(jid, me.lid));
}
