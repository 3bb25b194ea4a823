/**
 * A phone gives a companion access to the app state: it sends the key and writes its settings. The server announces the
 * collections that changed. The salt for first messages is one of the settings (whatsmeow `appstate.go`,
 * `nct_salt_sync`).
 */
import { randomBytes } from 'node:crypto';
import type { Account, Device } from '../devices/account.js';
import { addPatch, type Setting } from '../devices/app-state.js';
import { writePhoneMessage } from '../wire/phone-protobuf.js';
import { sayTo } from '../writing/phone-voice.js';
import { serverJid, stanza, timestamp } from '../wire/stanza.js';

export async function shareAppState(companion: Device): Promise<string> {
  const { account } = companion;
  const { keyId, keyData } = account.appState;
  const fingerprint = { rawId: 1, currentIndex: 0, deviceIndexes: [0, companion.id] };
  const key = { keyId: { keyId }, keyData: { keyData, fingerprint, timestamp: Date.now() } };
  const id = await sayTo(
    companion,
    writePhoneMessage({ type: 'app-state-key', appStateSyncKeyShare: { keys: [key] } }),
  );
  await change(account, 'regular_high', {
    index: 'nct_salt_sync',
    value: { nctSaltSyncAction: { salt: account.nctSalt } },
    version: 1,
  });
  await change(account, 'critical_block', {
    index: 'setting_pushName',
    value: { pushNameSetting: { name: account.pushName } },
    version: 1,
  });
  return id;
}

async function change(account: Account, name: string, setting: Setting): Promise<void> {
  const version = await addPatch(account.appState, name, setting);
  const attrs = { from: serverJid, type: 'server_sync', id: randomBytes(6).toString('hex'), t: timestamp() };
  const changed = stanza('collection', { name, version: String(version) });
  for (const device of account.devices.values()) device.deliver(stanza('notification', attrs, [changed]));
}
