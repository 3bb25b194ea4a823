/**
 * A certificate for `localhost` and 127.0.0.1, made at each start. Clients of the media host get it as their CA. It is
 * X.509 version 3 (RFC 5280) with ECDSA P-256. Node can sign, but it cannot write certificates.
 */
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

export type SelfSigned = { readonly certificatePem: string; readonly keyPem: string };

const tags = { integer: 2, bits: 3, octets: 4, oid: 6, text: 12, utcTime: 23, sequence: 48, set: 49 };
const validDays = 365;

export function createSelfSignedCertificate(): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const name = sequence(der(tags.set, sequence(oid('550403'), der(tags.text, Buffer.from('Kurir relay')))));
  const unsigned = sequence(
    der(0xa0, der(tags.integer, Buffer.from([2]))), // version 3
    der(tags.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(utcTime(-1), utcTime(validDays)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(certificateAuthority(), alternativeNames())),
  );
  const signature = createSign('sha256').update(unsigned).sign(privateKey);
  const certificate = sequence(unsigned, algorithm, der(tags.bits, Buffer.concat([Buffer.from([0]), signature])));
  return { certificatePem: pem(certificate), keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function certificateAuthority(): Buffer {
  const isAuthority = sequence(der(1, Buffer.from([0xff])));
  return sequence(oid('551d13'), der(1, Buffer.from([0xff])), der(tags.octets, isAuthority));
}

function alternativeNames(): Buffer {
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  return sequence(oid('551d11'), der(tags.octets, names));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(tags.sequence, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(tags.oid, Buffer.from(hex, 'hex'));
}

function utcTime(daysFromNow: number): Buffer {
  const at = new Date(Date.now() + daysFromNow * 86_400_000).toISOString();
  return der(tags.utcTime, Buffer.from(`${at.slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
}

function der(tag: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(value.length)]), value]);
}

function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
