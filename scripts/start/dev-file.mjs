// Writes `.kurir/dev.json`, from which the `kurir` command and the examples know the local gateway. A demo key shows
// its secret once, when it is made. So `demo-keys.json` keeps the secrets. There are two demo keys, because the pretend
// WhatsApp has its own database.
import { join } from 'node:path';
import { readJson, writeJson } from '../state/json-file.mjs';

export function writeDevFile(stateDir, { baseUrl, publicUrl, simulatorUrl, relay = null, demo }) {
  const path = join(stateDir, 'dev.json');
  const secret = demo.api_secret ?? rememberedSecret(stateDir, readJson(path), demo.api_key);
  const content = {
    base_url: baseUrl,
    docs_url: `${publicUrl}/docs`,
    api_key: demo.api_key,
    api_secret: secret,
    account_id: demo.account_id,
    device_id: demo.device_id,
    simulator_url: simulatorUrl,
    phones: demo.phones,
    dashboard_url: `${publicUrl}/app`,
    sign_in_email: demo.sign_in_email,
    sign_in_password: demo.sign_in_password,
    ...(relay && { whatsapp_relay_url: relay.relayUrl, whatsapp_phones: relay.recipients }),
  };
  if (secret) rememberSecret(stateDir, demo.api_key, secret);
  writeJson(path, content);
  return content;
}

const keysFile = (stateDir) => join(stateDir, 'demo-keys.json');

function rememberedSecret(stateDir, before, key) {
  if (before?.api_key === key && before.api_secret) return before.api_secret;
  return readJson(keysFile(stateDir))?.[key] ?? null;
}

function rememberSecret(stateDir, key, secret) {
  const known = readJson(keysFile(stateDir)) ?? {};
  if (known[key] !== secret) writeJson(keysFile(stateDir), { ...known, [key]: secret });
}
