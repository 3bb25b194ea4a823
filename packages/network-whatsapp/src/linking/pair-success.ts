/**
 * Reads the stanza that tells that a phone used the code. It holds the identity of the new device, and which kind of
 * address the account uses.
 */
import type { CredentialChange } from '@kurir/network';
import {
  type AuthenticationCreds,
  type BinaryNode,
  configureSuccessfulPairing,
  getBinaryNodeChild,
  proto,
  S_WHATSAPP_NET,
} from 'baileys';
import { ACCOUNT_KIND } from '../people/account-facts.js';
import { encodeRow } from '../store/device-rows.js';

export const ADDRESSING_ID = 'addressing';

export type Pairing = {
  readonly creds: Partial<AuthenticationCreds>;
  /** The stanza that confirms the link to the network. */
  readonly reply: BinaryNode;
};

/**
 * Null when the identity is invalid, or not signed with the secret that only the phone and this client know. Then
 * something between the two has made it.
 */
export function readPairing(stanza: BinaryNode, creds: AuthenticationCreds): Pairing | null {
  try {
    return configureSuccessfulPairing(stanza, creds);
  } catch {
    // The error is dropped: it contains the stanza and says only that the identity was refused.
    return null;
  }
}

/** The refusal of an identity that is not authentic, as WhatsApp Web sends it (vinikjkkj/zapo `WaPairingFlow.ts`). */
export function refusalOfIdentity({ attrs: { id = '' } }: BinaryNode): BinaryNode {
  const error = { tag: 'error', attrs: { code: '401', text: 'not-authorized' } };
  return { tag: 'iq', attrs: { to: S_WHATSAPP_NET, type: 'error', id }, content: [error] };
}

/**
 * Whether the account writes to people by LID, as its phone says in `<client-props>` (tulir/whatsmeow `pair.go`). If
 * the phone does not say it, the row of an earlier link is deleted: it may belong to another account.
 */
export function addressingRow(stanza: BinaryNode): CredentialChange {
  const lidMigrated = readLidMigrated(stanza);
  const value = lidMigrated === null ? null : encodeRow({ lidMigrated });
  return { kind: ACCOUNT_KIND, id: ADDRESSING_ID, value };
}

function readLidMigrated(stanza: BinaryNode): boolean | null {
  const props = getBinaryNodeChild(getBinaryNodeChild(stanza, 'pair-success'), 'client-props')?.content;
  if (!(props instanceof Uint8Array)) return null;
  try {
    return proto.ClientPairingProps.decode(props).isChatDbLidMigrated ?? false;
  } catch {
    return null;
  }
}
