/**
 * The app state of an account: collections of settings that its devices share. The server keeps them as numbered,
 * sealed patches. A device asks for the patches after its own version. The real server may send a snapshot instead;
 * this one never does (whatsmeow `appstate.go`).
 */
import { randomBytes } from 'node:crypto';
import { APP_STATE_EMPTY_LT_HASH, WaAppStateCrypto } from 'zapo-js/appstate';
import { writeAppStatePatch } from '../wire/phone-protobuf.js';
import { child, children, type Stanza, stanza } from '../wire/stanza.js';

type Collection = { readonly patches: readonly Uint8Array[]; readonly hash: Uint8Array };

export type AppState = {
  readonly keyId: Uint8Array;
  readonly keyData: Uint8Array;
  /** The collections by name. */
  readonly collections: Map<string, Collection>;
};

/** The name of a setting, and its value as a `SyncActionValue`. */
export type Setting = { readonly index: string; readonly value: Value; readonly version: number };

type Value = Parameters<WaAppStateCrypto['encryptMutation']>[0]['value'];

const keyIdBytes = 6;
const keyBytes = 32;
const set = 0;

export function newAppState(): AppState {
  return { keyId: randomBytes(keyIdBytes), keyData: randomBytes(keyBytes), collections: new Map() };
}

/** Adds a patch with one setting to the collection. Returns the collection's new version. */
export async function addPatch(state: AppState, name: string, setting: Setting): Promise<number> {
  const { keyId, keyData } = state;
  const crypto = new WaAppStateCrypto();
  const { patches, hash } = state.collections.get(name) ?? { patches: [], hash: APP_STATE_EMPTY_LT_HASH };
  const version = patches.length + 1;
  const { indexMac, valueBlob, valueMac } = await crypto.encryptMutation({
    operation: set,
    keyId,
    keyData,
    index: JSON.stringify([setting.index]),
    value: setting.value,
    version: setting.version,
  });
  const next = await crypto.ltHashAdd(hash, [valueMac]);
  const snapshotMac = await crypto.generateSnapshotMac(keyData, next, version, name);
  const patch = writeAppStatePatch({
    version: { version },
    mutations: [
      { operation: set, record: { index: { blob: indexMac }, value: { blob: valueBlob }, keyId: { id: keyId } } },
    ],
    snapshotMac,
    patchMac: await crypto.generatePatchMac(keyData, snapshotMac, [valueMac], version, name),
    keyId: { id: keyId },
  });
  state.collections.set(name, { patches: [...patches, patch], hash: next });
  return version;
}

/** The collections that the request names, with the patches that the device lacks. */
export function answerAppState({ collections }: AppState, request: Stanza): readonly Stanza[] {
  const asked = children(child(request, 'sync'), 'collection').map(({ attrs }) => {
    const { name = '', version = '0' } = attrs;
    const { patches } = collections.get(name) ?? { patches: [] };
    const missing = patches.slice(Number(version)).map((patch) => stanza('patch', {}, patch));
    const said = { name, version: String(patches.length), has_more_patches: 'false' };
    return stanza('collection', said, missing.length > 0 ? [stanza('patches', {}, missing)] : undefined);
  });
  return [stanza('sync', {}, asked)];
}
