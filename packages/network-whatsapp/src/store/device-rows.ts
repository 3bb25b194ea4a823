/**
 * Turns a device's credentials and Signal keys into rows of the credential store and back. Each key is one row of JSON
 * with bytes in it.
 */
import type { CredentialChange } from '@kurir/network';
import { type AuthenticationCreds, BufferJSON, proto, type SignalDataTypeMap } from 'baileys';

export const LOGIN_KIND = 'login';
export const LOGIN_ID = 'creds';

export type KeyKind = keyof SignalDataTypeMap;

/** The row was opened, but its content is not what this driver wrote. */
export class DamagedRow extends Error {
  override readonly name = 'DamagedRow';

  constructor(readonly kind: string) {
    super(`a row of kind ${kind} is damaged`);
  }
}

export function loginRow(creds: AuthenticationCreds): CredentialChange {
  return { kind: LOGIN_KIND, id: LOGIN_ID, value: encodeRow(creds) };
}

export function encodeRow(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value, BufferJSON.replacer));
}

/** Throws `DamagedRow`. */
export function decodeLogin(row: Uint8Array): AuthenticationCreds {
  const creds = decodeRow(LOGIN_KIND, row) as Partial<AuthenticationCreds> | null;
  if (!creds?.noiseKey || !creds.signedIdentityKey || !creds.me) throw new DamagedRow(LOGIN_KIND);
  // This driver wrote the row from the same type. The line above has checked the parts that it needs.
  return creds as AuthenticationCreds;
}

/** Throws `DamagedRow`. */
export function decodeKey<Kind extends KeyKind>(kind: Kind, row: Uint8Array): SignalDataTypeMap[Kind] {
  const value = decodeRow(kind, row) as SignalDataTypeMap[Kind];
  if (kind !== 'app-state-sync-key') return value;
  // Baileys needs this value as a protobuf message. The cast holds because `kind` was compared above.
  return proto.Message.AppStateSyncKeyData.fromObject(value as object) as unknown as SignalDataTypeMap[Kind];
}

/** Throws `DamagedRow`. */
export function decodeRow(kind: string, row: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(row).toString('utf8'), BufferJSON.reviver);
  } catch {
    // Without the cause: a parser quotes its input, and the input is a key.
    throw new DamagedRow(kind);
  }
}
