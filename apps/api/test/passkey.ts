/** A passkey in software: an ES256 key that signs as WebAuthn says, with or without asking who the person is. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Browser } from './person.js';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

type Asked = { readonly challenge: string };
type Signing = { readonly origin?: string; readonly isVerified?: boolean };

export class Passkey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16);
  readonly #origin: string;
  #counter = 0;

  /** `url` is the address of the api on loopback, where the relying party is `localhost`. */
  constructor(url: string) {
    this.#origin = url;
  }

  #clientData(type: string, { challenge }: Asked, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(flags: number, rest = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE((this.#counter += 1));
    return Buffer.concat([sha256('localhost'), Buffer.from([flags]), counter, rest]);
  }

  /** The public key in CBOR: kty EC2, alg ES256, crv P-256, x, y. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => Buffer.from(text, 'base64url');
    const head = Buffer.from('a5010203262001215820', 'hex');
    return Buffer.concat([head, bytes(x), Buffer.from('225820', 'hex'), bytes(y)]);
  }

  register(asked: Asked, { origin = this.#origin }: Signing = {}): object {
    const attestedData = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 16]), this.#id, this.#publicKey()]);
    const data = this.#authenticatorData(present | verified | attested, attestedData);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(data.length);
    // {fmt: "none", attStmt: {}, authData: bytes} in CBOR.
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex');
    return this.#answer({
      clientDataJSON: base64url(this.#clientData('webauthn.create', asked, origin)),
      attestationObject: base64url(Buffer.concat([head, length, data])),
    });
  }

  signIn(asked: Asked, { origin = this.#origin, isVerified = true }: Signing = {}): object {
    const data = this.#authenticatorData(isVerified ? present | verified : present);
    const clientData = this.#clientData('webauthn.get', asked, origin);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    });
  }

  #answer(response: object): object {
    const id = base64url(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

const challengeOf = ({ body }: { readonly body: Record<string, unknown> | null }): Asked => ({
  challenge: String(body?.['challenge']),
});

export async function addPasskey(browser: Browser, passkey: Passkey, signing: Signing = {}) {
  const options = await browser.auth('/passkey/generate-register-options');
  if (options.status !== 200) return options;
  const response = passkey.register(challengeOf(options), signing);
  return browser.auth('/passkey/verify-registration', { response, name: 'Laptop' });
}

/** Returns what the passkey answers to a fresh question of the api. */
export async function usePasskey(browser: Browser, passkey: Passkey, signing: Signing = {}): Promise<object> {
  return passkey.signIn(challengeOf(await browser.auth('/passkey/generate-authenticate-options')), signing);
}

export async function signInWithPasskey(browser: Browser, passkey: Passkey, signing: Signing = {}) {
  return browser.auth('/passkey/verify-authentication', { response: await usePasskey(browser, passkey, signing) });
}
