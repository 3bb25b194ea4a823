/**
 * Opens the records of WhatsApp's app state. They are settings that an account's devices share through the server, each
 * sealed with a key that only the devices have. A record that was sealed with another key is skipped. Keys and MAC:
 * whatsmeow `appstate/keys.go` and `appstate/hash.go`.
 */
import { createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { proto } from 'baileys';
import { bytesField } from './protobuf-field.js';

const { SET } = proto.SyncdMutation.SyncdOperation;

const KEY_INFO = 'WhatsApp Mutation Keys';
const KEY_BYTES = 32;
const ALL_KEYS_BYTES = 160;
const MAC_BYTES = 32;
const IV_BYTES = 16;
const LENGTH_BYTES = 8;
/** `SyncActionData.value`, kept as bytes because Baileys' definition of it lacks fields. */
const VALUE_FIELD = 2;

/** Finds a key by its id in base64. Undefined when the phone has not sent the key yet. */
export type FindKey = (id: string) => Promise<Uint8Array | undefined>;

export type AppStateChange = {
  /** The name of the setting, and its subject. */
  readonly index: readonly unknown[];
  /** A `SyncActionValue`, or null when the setting was removed. */
  readonly value: Uint8Array | null;
};

/** Null when the record cannot be trusted. Rejects with `MissingKey` when its key is not there yet. */
export async function openRecord(
  operation: proto.SyncdMutation.SyncdOperation,
  record: proto.ISyncdRecord,
  findKey: FindKey,
): Promise<AppStateChange | null> {
  const keyId = record.keyId?.id;
  const blob = record.value?.blob;
  if (!keyId || !blob) return null;
  const shared = await findKey(Buffer.from(keyId).toString('base64'));
  if (shared === undefined) throw new MissingKey();
  const { encryption, mac } = keysOf(shared);
  const sealed = blob.subarray(0, -MAC_BYTES);
  const expected = macOf(operation, keyId, sealed, mac);
  const given = blob.subarray(-MAC_BYTES);
  if (given.length !== MAC_BYTES || !timingSafeEqual(expected, given)) return null;
  const decipher = createDecipheriv('aes-256-cbc', encryption, sealed.subarray(0, IV_BYTES));
  const opened = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES)), decipher.final()]);
  const index: unknown = JSON.parse(Buffer.from(proto.SyncActionData.decode(opened).index ?? []).toString('utf8'));
  return {
    index: Array.isArray(index) ? index : [],
    value: operation === SET ? bytesField(opened, VALUE_FIELD) : null,
  };
}

/** The phone has not sent the key of a record yet. It sends the key unasked. */
export class MissingKey extends Error {
  override readonly name = 'MissingKey';
}

type Keys = { readonly encryption: Buffer; readonly mac: Buffer };

/** Cached, because a collection has many records under one key. */
const derived = new WeakMap<Uint8Array, Keys>();

function keysOf(shared: Uint8Array): Keys {
  const known = derived.get(shared) ?? deriveKeys(shared);
  derived.set(shared, known);
  return known;
}

function deriveKeys(shared: Uint8Array): Keys {
  const keys = Buffer.from(hkdfSync('sha256', shared, Buffer.alloc(0), KEY_INFO, ALL_KEYS_BYTES));
  return { encryption: keys.subarray(KEY_BYTES, 2 * KEY_BYTES), mac: keys.subarray(2 * KEY_BYTES, 3 * KEY_BYTES) };
}

function macOf(
  operation: proto.SyncdMutation.SyncdOperation,
  keyId: Uint8Array,
  sealed: Uint8Array,
  key: Buffer,
): Buffer {
  const prefix = Buffer.concat([Buffer.from([operation === SET ? 1 : 2]), keyId]);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt8(prefix.length, LENGTH_BYTES - 1);
  const digest = createHmac('sha512', key).update(prefix).update(sealed).update(length).digest();
  return digest.subarray(0, MAC_BYTES);
}
