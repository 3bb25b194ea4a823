/**
 * Asks WhatsApp for a code that a person types into the phone. The driver sends this request itself. Baileys 7.0.0-rc14
 * shows a code before the network accepted it, and does not notice a refusal. It also keeps no reference, by which the
 * driver recognizes the use of an old code. Layout of the wrapped key: salt, counter, the key encrypted with the code
 * (tulir/whatsmeow `pair-code.go`).
 */
import { randomBytes } from 'node:crypto';
import {
  aesEncryptCTR,
  type BinaryNode,
  bytesToCrockford,
  Curve,
  derivePairingCodeKey,
  getBinaryNodeChild,
  getCompanionPlatformId,
  S_WHATSAPP_NET,
  type WASocket,
} from 'baileys';
import { BROWSER } from '../socket/appearance.js';
import { jidOfNumber } from '../socket/jid.js';

const CODE_BYTES = 5;
const SALT_BYTES = 32;
const COUNTER_BYTES = 16;
const SECRET_BYTES = 32;

/** WhatsApp Web gives up a code after so many failed uses (vinikjkkj/zapo `defaults.ts`). */
const MAX_USES = 3;

/** A code that the network accepted, and its uses by phones. */
export class PairingCode {
  readonly #uses = new Set<string>();

  constructor(
    readonly text: string,
    readonly reference: Uint8Array,
    /** When the code was made. Its lifetime begins then. */
    readonly madeAt: number,
  ) {}

  get isUsed(): boolean {
    return this.#uses.size > 0;
  }

  isOf(reference: Uint8Array): boolean {
    return Buffer.compare(this.reference, reference) === 0;
  }

  /**
   * Returns whether this use counts. A stanza that arrives twice counts once, because a second answer would undo the
   * first.
   */
  use(stanzaId: string): boolean {
    if (this.#uses.has(stanzaId) || this.#uses.size >= MAX_USES) return false;
    this.#uses.add(stanzaId);
    return true;
  }
}

/**
 * Asks for a new code with its own keys, which `creds` hold until the phone answers. `error` is the code of the
 * network, or null when the network did not answer. Rejects when the connection ends.
 */
export async function askForPairingCode(
  socket: WASocket,
  phoneNumber: string,
  timeoutMs: number,
): Promise<PairingCode | { readonly error: string | null }> {
  const madeAt = Date.now();
  const text = bytesToCrockford(randomBytes(CODE_BYTES));
  const jid = jidOfNumber(phoneNumber);
  // Without the event `creds.update`: Baileys would then send the name to the network.
  Object.assign(socket.authState.creds, {
    pairingCode: text,
    pairingEphemeralKeyPair: Curve.generateKeyPair(),
    advSecretKey: randomBytes(SECRET_BYTES).toString('base64'),
    me: { id: jid, name: '~' },
  });
  const answer = await ask(socket, await companionHello(socket, jid, text), timeoutMs);
  if (answer === undefined) return { error: null };
  const reference = getBinaryNodeChild(
    getBinaryNodeChild(answer, 'link_code_companion_reg'),
    'link_code_pairing_ref',
  )?.content;
  if (answer.attrs['type'] === 'result' && reference instanceof Uint8Array)
    return new PairingCode(text, reference, madeAt);
  return { error: getBinaryNodeChild(answer, 'error')?.attrs['code'] ?? '500' };
}

async function ask(socket: WASocket, question: BinaryNode, timeoutMs: number): Promise<BinaryNode | undefined> {
  const answered = socket.waitForMessage<BinaryNode>(question.attrs['id'] ?? '', timeoutMs);
  // Nobody waits for the answer if the question cannot be sent.
  answered.catch(() => undefined);
  await socket.sendNode(question);
  return answered;
}

async function companionHello(socket: WASocket, jid: string, code: string): Promise<BinaryNode> {
  const [system, browser] = BROWSER;
  const { noiseKey } = socket.authState.creds;
  const content: BinaryNode[] = [
    leaf('link_code_pairing_wrapped_companion_ephemeral_pub', await wrapKey(socket, code)),
    leaf('companion_server_auth_key_pub', noiseKey.public),
    leaf('companion_platform_id', getCompanionPlatformId(BROWSER)),
    leaf('companion_platform_display', `${browser} (${system})`),
    // WhatsApp Web sends a zero byte; Baileys sends the digit (oxidezap/whatsapp-rust #976).
    leaf('link_code_pairing_nonce', Buffer.alloc(1)),
  ];
  const stage = { jid, stage: 'companion_hello', should_show_push_notification: 'true' };
  const attrs = { to: S_WHATSAPP_NET, type: 'set', id: socket.generateMessageTag(), xmlns: 'md' };
  return { tag: 'iq', attrs, content: [{ tag: 'link_code_companion_reg', attrs: stage, content }] };
}

async function wrapKey(socket: WASocket, code: string): Promise<Buffer> {
  const salt = randomBytes(SALT_BYTES);
  const counter = randomBytes(COUNTER_BYTES);
  const { pairingEphemeralKeyPair } = socket.authState.creds;
  const wrapped = aesEncryptCTR(pairingEphemeralKeyPair.public, await derivePairingCodeKey(code, salt), counter);
  return Buffer.concat([salt, counter, wrapped]);
}

function leaf(tag: string, content: Uint8Array | string): BinaryNode {
  return { tag, attrs: {}, content };
}
