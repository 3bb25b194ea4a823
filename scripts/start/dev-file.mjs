// `.kurir/dev.json`: what the `kurir` command and examples need to talk to the local gateway. The demo key's secret is
// shown once, when the key is made, so the one that was written down before is kept.
import { join } from 'node:path';
import { readJson, writeJson } from '../local/json-file.mjs';

export function writeDevFile(stateDir, { baseUrl, simulatorUrl, demo }) {
  const path = join(stateDir, 'dev.json');
  const before = readJson(path);
  const remembered = before?.api_key === demo.api_key ? before.api_secret : null;
  const content = {
    base_url: baseUrl,
    docs_url: `${baseUrl}/docs`,
    api_key: demo.api_key,
    api_secret: demo.api_secret ?? remembered ?? null,
    account_id: demo.account_id,
    device_id: demo.device_id,
    simulator_url: simulatorUrl,
    phones: demo.phones,
  };
  writeJson(path, content);
  return content;
}
