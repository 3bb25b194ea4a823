/**
 * The server's side of the Noise handshake (X25519, AES-GCM, SHA-256), and the two ciphers that it yields.
 * The pattern is XX. A client that remembers the server's key opens with IK. The server then falls back to XXfallback,
 * which reads the client's hello as an XX hello.
 * The pattern and the names come from noiseprotocol.org, revision 34. The prologue is WhatsApp's header.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { X25519, type SignalKeyPair } from 'zapo-js/crypto';
import type { ServerIdentity } from './certificate-chain.js';
import { readClientFinish, readClientHello, writeServerHello } from './protobuf.js';

const patternXX = Buffer.from('Noise_XX_25519_AESGCM_SHA256\0\0\0\0');
const patternXXfallback = sha256(Buffer.from('Noise_XXfallback_25519_AESGCM_SHA256'));
const tagBytes = 16;
const empty = Buffer.alloc(0);

/** One direction of a connection: a key, and a counter that serves as the nonce. */
export class Cipher {
  private counter = 0;

  constructor(private readonly key: Buffer) {}

  encrypt(plain: Uint8Array, associated: Uint8Array = empty): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.key, this.nonce());
    cipher.setAAD(associated);
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }

  decrypt(sealed: Uint8Array, associated: Uint8Array = empty): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.key, this.nonce());
    decipher.setAAD(associated);
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  }

  private nonce(): Buffer {
    const nonce = Buffer.alloc(12);
    nonce.writeUInt32BE(this.counter++, 8);
    return nonce;
  }
}

/** Noise's symmetric state: it hashes every part of the handshake and mixes every secret into the keys. */
class HandshakeState {
  private hash: Buffer;
  private chainingKey: Buffer;
  private cipher: Cipher;

  constructor(pattern: Buffer, prologue: Uint8Array) {
    this.hash = pattern;
    this.chainingKey = pattern;
    this.cipher = new Cipher(pattern);
    this.mixHash(prologue);
  }

  mixHash(data: Uint8Array): void {
    this.hash = sha256(Buffer.concat([this.hash, data]));
  }

  mixKey(secret: Uint8Array): void {
    const [chainingKey, key] = this.derive(secret);
    this.chainingKey = chainingKey;
    this.cipher = new Cipher(key);
  }

  seal(plain: Uint8Array): Buffer {
    const sealed = this.cipher.encrypt(plain, this.hash);
    this.mixHash(sealed);
    return sealed;
  }

  open(sealed: Uint8Array): Buffer {
    const plain = this.cipher.decrypt(sealed, this.hash);
    this.mixHash(sealed);
    return plain;
  }

  split(): { incoming: Cipher; outgoing: Cipher } {
    const [fromClient, fromServer] = this.derive(empty);
    return { incoming: new Cipher(fromClient), outgoing: new Cipher(fromServer) };
  }

  private derive(secret: Uint8Array): [Buffer, Buffer] {
    const derived = Buffer.from(hkdfSync('sha256', secret, this.chainingKey, empty, 64));
    return [derived.subarray(0, 32), derived.subarray(32)];
  }
}

export type HandshakeEnd = { readonly payload: Buffer; readonly incoming: Cipher; readonly outgoing: Cipher };

/** The handshake between the server's hello and the client's finish. */
export type HalfHandshake = { readonly serverHello: Uint8Array; finish(frame: Uint8Array): Promise<HandshakeEnd> };

export async function answerClientHello(
  server: ServerIdentity,
  prologue: Uint8Array,
  frame: Uint8Array,
): Promise<HalfHandshake> {
  const hello = readClientHello(frame);
  const state = new HandshakeState(hello.static.length > 0 ? patternXXfallback : patternXX, prologue);
  const ephemeral = await X25519.generateKeyPair();
  state.mixHash(hello.ephemeral);
  state.mixHash(ephemeral.pubKey);
  state.mixKey(await X25519.scalarMult(ephemeral.privKey, hello.ephemeral));
  const sealedStatic = state.seal(server.staticKey.pubKey);
  state.mixKey(await X25519.scalarMult(server.staticKey.privKey, hello.ephemeral));
  const payload = state.seal(server.certificateChain);
  return {
    serverHello: writeServerHello({ ephemeral: ephemeral.pubKey, static: sealedStatic, payload }),
    finish: (finish) => readFinish(state, ephemeral, finish),
  };
}

async function readFinish(state: HandshakeState, ephemeral: SignalKeyPair, frame: Uint8Array): Promise<HandshakeEnd> {
  const finish = readClientFinish(frame);
  const clientStatic = state.open(finish.static);
  state.mixKey(await X25519.scalarMult(ephemeral.privKey, clientStatic));
  return { payload: state.open(finish.payload), ...state.split() };
}

function sha256(data: Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}
