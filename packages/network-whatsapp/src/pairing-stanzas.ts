/** What goes over the wire while a device is being linked, where Baileys 7.0.0-rc14 needs help from outside. */
import { randomBytes } from 'node:crypto';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, type WASocket } from 'baileys';

const REFRESH = 'companion_reg_refresh';
const REFRESH_MARKS = [REFRESH, 'pair-device-rotate-qr'];

/** How many QR texts the network will take, one after the other. */
export function onReferences(socket: WASocket, offered: (count: number) => void): void {
  socket.ws.on('CB:iq,type:set,pair-device', (stanza: BinaryNode) => {
    offered(getBinaryNodeChildren(getBinaryNodeChild(stanza, 'pair-device'), 'ref').length);
  });
}

/**
 * Since July 2026 WhatsApp retires the secret in a QR that is on show, and expects a new one and an acknowledgement;
 * Baileys does neither (#2737, #2765). `refreshed` is called with the new secret in `creds`.
 */
export function onRegistrationRefresh(socket: WASocket, refreshed: () => void): void {
  socket.ws.on(`CB:notification,type:${REFRESH}`, (stanza: BinaryNode) => {
    if (socket.authState.creds.me || !REFRESH_MARKS.some((mark) => getBinaryNodeChild(stanza, mark))) return;
    socket.ev.emit('creds.update', { advSecretKey: randomBytes(32).toString('base64') });
    const { id = '', from = '', type = REFRESH } = stanza.attrs;
    // A connection that is gone needs no acknowledgement.
    socket.sendNode({ tag: 'ack', attrs: { id, to: from, class: 'notification', type } }).catch(() => undefined);
    refreshed();
  });
}

/**
 * The QR text with the secret that holds now: Baileys goes on with the one from the first. Fields after `#`: reference,
 * noise key, identity key, secret, platform.
 */
export function withSecret(qr: string, advSecretKey: string): string {
  const [base = '', fields = ''] = qr.split('#');
  const [reference, noiseKey, identityKey, , ...rest] = fields.split(',');
  return `${base}#${[reference, noiseKey, identityKey, advSecretKey, ...rest].join(',')}`;
}

/**
 * Asks for a pairing code. Baileys answers with a code of its own making before the network took it, and hears no refusal;
 * here it is shown after the network's answer. `error` is the network's code, null when it did not answer.
 */
export async function requestPairingCode(
  socket: WASocket,
  phoneNumber: string,
  timeoutMs: number,
): Promise<{ readonly code: string } | { readonly error: string | null }> {
  const { promise, stop } = firstAnswer(socket, timeoutMs);
  try {
    const code = await socket.requestPairingCode(phoneNumber);
    const answer = await promise;
    return answer === 'taken' ? { code } : { error: answer };
  } finally {
    stop();
  }
}

/** Nothing else is asked while a device is being linked, so the first answer is the one to this question. */
function firstAnswer(socket: WASocket, timeoutMs: number): { promise: Promise<string | null>; stop: () => void } {
  let stop = (): void => undefined;
  const promise = new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), timeoutMs);
    const taken = (): void => resolve('taken');
    const refused = (stanza: BinaryNode): void => resolve(getBinaryNodeChild(stanza, 'error')?.attrs['code'] ?? '500');
    socket.ws.once('CB:iq,type:result,link_code_companion_reg', taken);
    socket.ws.once('CB:iq,type:error', refused);
    stop = () => {
      clearTimeout(timer);
      socket.ws.off('CB:iq,type:result,link_code_companion_reg', taken);
      socket.ws.off('CB:iq,type:error', refused);
    };
  });
  return { promise, stop };
}
