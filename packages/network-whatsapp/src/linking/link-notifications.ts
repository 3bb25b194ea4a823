/**
 * Handles the notifications that arrive while a device is being linked. Each is acknowledged once, as official clients
 * do. Baileys 7.0.0-rc14 gets only the one that it understands. It would acknowledge none while a QR is shown, and
 * would throw 'Invalid buffer' for a refreshed code (WhiskeySockets/Baileys #2694).
 */
import { type BinaryNode, getBinaryNodeChild, type WASocket } from 'baileys';
import { takeListener } from '../socket/baileys-socket.js';

const KEY_BYTES = 32;
/** Salt, counter and key. */
const WRAPPED_KEY_BYTES = 32 + 16 + KEY_BYTES;

const REFUSED = 'CB:iq,type:error';
const REGISTRATION_REFRESH = 'companion_reg_refresh';
const REGISTRATION_MARKS = [REGISTRATION_REFRESH, 'pair-device-rotate-qr'];

/** The code that a person uses on the phone. Its methods are called for what the network says about it. */
export interface CodeOnShow {
  /** The network retired the secret in the QR that is shown (WhiskeySockets/Baileys #2737, #2765). */
  registrationRefreshed(): void;
  /**
   * The network retired the code with this reference. `isManual`: the next code must wait until a person asks for it.
   */
  refreshed(reference: Uint8Array, isManual: boolean): void;
  /** A phone used the code with this reference. Returns whether linking continues with it. */
  used(reference: Uint8Array, stanzaId: string): boolean;
  /** The network refused our answer to the phone's use of the code. */
  refused(error: string): void;
}

/** Calls `passkeyRequired` when the phone links this account only with its passkey. */
export function onLinkNotifications(socket: WASocket, code: CodeOnShow, passkeyRequired: () => void): void {
  const takeNotification = takeListener(socket, 'CB:notification');
  socket.ws.on('CB:notification', (stanza: BinaryNode) => {
    if (isAcceptedHello(stanza, code)) return void answerHello(socket, code, () => takeNotification(stanza));
    acknowledge(socket, stanza);
    if (isPasskeyDemand(stanza)) passkeyRequired();
    else tell(stanza, code);
  });
}

/**
 * Baileys sends the answer, and acknowledges the notification when the network has accepted the answer. It only logs a
 * refusal, after which no phone can ever link (oxidezap/whatsapp-rust #1198). While this runs, only pings are sent as
 * queries, so every error belongs to the answer.
 */
async function answerHello(socket: WASocket, code: CodeOnShow, answer: () => Promise<void>): Promise<void> {
  const refused = (stanza: BinaryNode): void =>
    code.refused(getBinaryNodeChild(stanza, 'error')?.attrs['code'] ?? '500');
  socket.ws.on(REFUSED, refused);
  await answer();
  socket.ws.off(REFUSED, refused);
}

/** Types as in tulir/whatsmeow `notification.go`. WhatsApp sends the second only after a client answered the first. */
function isPasskeyDemand({ attrs: { type } }: BinaryNode): boolean {
  return type === 'passkey_prologue_request' || type === 'crsc_continuation';
}

function tell(stanza: BinaryNode, code: CodeOnShow): void {
  if (stanza.attrs['type'] === REGISTRATION_REFRESH) {
    if (REGISTRATION_MARKS.some((mark) => getBinaryNodeChild(stanza, mark))) code.registrationRefreshed();
    return;
  }
  const { stage, reference, isManual } = readRegistration(stanza);
  if (stage === 'refresh_code' && reference !== null) code.refreshed(reference, isManual);
}

/**
 * A hello without the phone's key only announces that the network will ask for the passkey (tulir/whatsmeow #1188,
 * #1233).
 */
function isAcceptedHello(stanza: BinaryNode, code: CodeOnShow): boolean {
  const { stage, reference, hasKeys } = readRegistration(stanza);
  if (stage !== 'primary_hello' || reference === null || !hasKeys) return false;
  return code.used(reference, stanza.attrs['id'] ?? '');
}

function readRegistration(stanza: BinaryNode) {
  const isRegistration = stanza.attrs['type'] === 'link_code_companion_reg';
  const registration = isRegistration ? getBinaryNodeChild(stanza, 'link_code_companion_reg') : undefined;
  const wrappedKey = bytesOf(registration, 'link_code_pairing_wrapped_primary_ephemeral_pub');
  const identity = bytesOf(registration, 'primary_identity_pub');
  return {
    stage: registration?.attrs['stage'],
    isManual: registration?.attrs['force_manual_refresh'] === 'true',
    reference: bytesOf(registration, 'link_code_pairing_ref'),
    hasKeys: wrappedKey?.length === WRAPPED_KEY_BYTES && identity?.length === KEY_BYTES,
  };
}

function bytesOf(node: BinaryNode | undefined, tag: string): Uint8Array | null {
  const content = getBinaryNodeChild(node, tag)?.content;
  return content instanceof Uint8Array ? content : null;
}

function acknowledge(socket: WASocket, { attrs: { id = '', from = '', type } }: BinaryNode): void {
  const attrs = { id, to: from, class: 'notification', ...(type === undefined ? {} : { type }) };
  // A connection that has ended needs no acknowledgement.
  socket.sendNode({ tag: 'ack', attrs }).catch(() => undefined);
}
