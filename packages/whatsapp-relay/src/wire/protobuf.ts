/**
 * Only this file and `phone-protobuf.ts` touch protobuf messages. The codecs of zapo-js 0.3.0 have no types under nodenext
 * (`proto` is `any`), and every field is optional. This file types the few messages in use
 * and checks required fields once. The rest of the relay gets plain values.
 */
import { proto } from 'zapo-js/proto';

type Bytes = Uint8Array | null | undefined;

export type Codec<Message> = {
  decode(bytes: Uint8Array): Message;
  encode(message: Message): { finish(): Uint8Array };
};

type Handshake = {
  readonly clientHello?: { readonly ephemeral?: Bytes; readonly static?: Bytes } | null;
  readonly serverHello?: { readonly ephemeral: Uint8Array; readonly static: Uint8Array; readonly payload: Uint8Array };
  readonly clientFinish?: { readonly static?: Bytes; readonly payload?: Bytes } | null;
};

type VersionNumbers = Record<'primary' | 'secondary' | 'tertiary', number | null | undefined>;

type Payload = {
  readonly userAgent?: { readonly appVersion?: VersionNumbers | null } | null;
  readonly username?: { toString(): string } | number | null;
  readonly device?: number | null;
  readonly devicePairingData?: Record<'eIdent' | 'eRegid' | 'eSkeyId' | 'eSkeyVal' | 'eSkeySig', Bytes> | null;
};

type CertificateDetails = {
  readonly serial: number;
  readonly issuerSerial: number;
  readonly key: Uint8Array;
  readonly notBefore: number;
  readonly notAfter: number;
};

type SignedDetails = { readonly details: Uint8Array; readonly signature: Uint8Array };

type DeviceIdentity = {
  readonly rawId: number;
  readonly keyIndex: number;
  readonly timestamp: number;
  readonly accountType: number;
  readonly deviceType: number;
};

type SignedDeviceIdentity = {
  readonly details: Uint8Array;
  readonly accountSignatureKey: Uint8Array;
  readonly accountSignature: Uint8Array;
};

type ChatMessage = {
  readonly conversation?: string | null;
  readonly extendedTextMessage?: { readonly text?: string | null; readonly contextInfo?: Context | null } | null;
};

type Context = {
  readonly stanzaId?: string | null;
  readonly participant?: string | null;
  readonly quotedMessage?: ChatMessage | null;
};

/** The message that another one answers. `author` is an address. */
export type Quoted = { readonly id: string; readonly author: string; readonly text: string };

const codecs: {
  readonly HandshakeMessage: Codec<Handshake>;
  readonly ClientPayload: Codec<Payload>;
  readonly CertChain: Codec<{ readonly intermediate: SignedDetails; readonly leaf: SignedDetails }> & {
    readonly NoiseCertificate: { readonly Details: Codec<CertificateDetails> };
  };
  readonly ADVDeviceIdentity: Codec<DeviceIdentity>;
  readonly ADVSignedDeviceIdentity: Codec<SignedDeviceIdentity>;
  readonly ADVSignedDeviceIdentityHMAC: Codec<{ readonly details: Uint8Array; readonly hmac: Uint8Array }>;
  readonly ClientPairingProps: Codec<{ readonly isChatDbLidMigrated: boolean }>;
  readonly Message: Codec<ChatMessage>;
} = proto;

export type ClientHello = { readonly ephemeral: Uint8Array; readonly static: Uint8Array };

export type PreKey = { readonly id: Uint8Array; readonly value: Uint8Array };

/** The keys that a companion registers before it belongs to an account. */
export type Registration = {
  readonly identityKey: Uint8Array;
  readonly registrationId: Uint8Array;
  readonly signedPreKey: PreKey & { readonly signature: Uint8Array };
};

/** `a.b.c` of the web client; zeros if the client states none. */
export type AppVersion = readonly [number, number, number];

export type ClientPayload = { readonly appVersion: AppVersion } & (
  | { readonly kind: 'registration'; readonly registration: Registration }
  | { readonly kind: 'login'; readonly user: string; readonly device: number }
);

const oneDaySeconds = 86_400;

export function readClientHello(frame: Uint8Array): ClientHello {
  const hello = codecs.HandshakeMessage.decode(frame).clientHello;
  return { ephemeral: need(hello?.ephemeral, 'ephemeral'), static: hello?.static ?? new Uint8Array() };
}

export function writeServerHello(hello: {
  ephemeral: Uint8Array;
  static: Uint8Array;
  payload: Uint8Array;
}): Uint8Array {
  return codecs.HandshakeMessage.encode({ serverHello: hello }).finish();
}

export function readClientFinish(frame: Uint8Array): { static: Uint8Array; payload: Uint8Array } {
  const finish = codecs.HandshakeMessage.decode(frame).clientFinish;
  return { static: need(finish?.static, 'static'), payload: need(finish?.payload, 'payload') };
}

export function readClientPayload(payload: Uint8Array): ClientPayload {
  const decoded = codecs.ClientPayload.decode(payload);
  const { primary, secondary, tertiary } = decoded.userAgent?.appVersion ?? {};
  const appVersion = [primary ?? 0, secondary ?? 0, tertiary ?? 0] as const;
  const pairing = decoded.devicePairingData;
  if (!pairing) return { kind: 'login', appVersion, user: String(decoded.username), device: decoded.device ?? 0 };
  return {
    kind: 'registration',
    appVersion,
    registration: {
      identityKey: need(pairing.eIdent, 'eIdent'),
      registrationId: need(pairing.eRegid, 'eRegid'),
      signedPreKey: {
        id: need(pairing.eSkeyId, 'eSkeyId'),
        value: need(pairing.eSkeyVal, 'eSkeyVal'),
        signature: need(pairing.eSkeySig, 'eSkeySig'),
      },
    },
  };
}

/** The signed part of one certificate. Valid from yesterday, for ten years. */
export function writeCertificateDetails(serial: number, issuerSerial: number, key: Uint8Array): Uint8Array {
  const now = Math.floor(Date.now() / 1000);
  return codecs.CertChain.NoiseCertificate.Details.encode({
    serial,
    issuerSerial,
    key,
    notBefore: now - oneDaySeconds,
    notAfter: now + 3650 * oneDaySeconds,
  }).finish();
}

export function writeCertificateChain(chain: { intermediate: SignedDetails; leaf: SignedDetails }): Uint8Array {
  return codecs.CertChain.encode(chain).finish();
}

export function writeDeviceIdentity(identity: { rawId: number; keyIndex: number; timestamp: number }): Uint8Array {
  return codecs.ADVDeviceIdentity.encode({ ...identity, accountType: 0, deviceType: 0 }).finish();
}

export function writeSignedDeviceIdentity(identity: SignedDeviceIdentity): Uint8Array {
  return codecs.ADVSignedDeviceIdentity.encode(identity).finish();
}

export function writeSignedDeviceIdentityHmac(identity: { details: Uint8Array; hmac: Uint8Array }): Uint8Array {
  return codecs.ADVSignedDeviceIdentityHMAC.encode(identity).finish();
}

/** Tells a new companion whether the account writes to people by LID. */
export function writeClientPairingProps(isChatDbLidMigrated: boolean): Uint8Array {
  return codecs.ClientPairingProps.encode({ isChatDbLidMigrated }).finish();
}

/** The text of a decrypted message whose padding is removed already; null for any other content. */
export function readText(plaintext: Uint8Array): string | null {
  const { conversation, extendedTextMessage } = codecs.Message.decode(plaintext);
  return conversation || extendedTextMessage?.text || null;
}

/** Null when the message answers none. */
export function readQuoted(plaintext: Uint8Array): Quoted | null {
  const context = codecs.Message.decode(plaintext).extendedTextMessage?.contextInfo;
  if (!context?.stanzaId) return null;
  const text = context.quotedMessage?.conversation ?? '';
  return { id: context.stanzaId, author: context.participant ?? '', text };
}

export function writeText(text: string): Uint8Array {
  return codecs.Message.encode({ conversation: text }).finish();
}

function need(value: Bytes, name: string): Uint8Array {
  if (!value?.length) throw new Error(`protobuf field ${name} is missing`);
  return value;
}
