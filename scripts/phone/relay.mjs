// Talks to the pretend WhatsApp of this folder over HTTP, and finds the codes that devices of the gateway show.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readJson } from '../state/json-file.mjs';
import { defaultStateDir, fromRoot, root } from '../local/paths.mjs';
import { PhoneError } from './phone-error.mjs';

const run = promisify(execFile);

export function findRelay(stateDir = defaultStateDir) {
  const url = readJson(join(stateDir, 'dev.json'))?.whatsapp_relay_url;
  if (!url) throw new PhoneError('There is no pretend WhatsApp here. Start it: npm start -- --whatsapp-relay');
  return { ask: (path, body) => ask(url, path, body), shownCodes };
}

async function ask(url, path, body) {
  let answer;
  try {
    answer = await fetch(url + path, body && { method: 'POST', body: JSON.stringify(body) });
  } catch (cause) {
    throw new PhoneError(`${url} does not answer. Is it running? npm start -- --whatsapp-relay`, { cause });
  }
  const content = await answer.json();
  if (!answer.ok) throw new PhoneError(`The phone says no: ${content.error}`);
  return content;
}

/** Returns the codes that `kurir device link` shows: `[{device, code}]`. */
async function shownCodes() {
  const kurir = fromRoot('packages/client/bin/kurir.js');
  const { stdout } = await run(process.execPath, [kurir, 'device', 'list', '--json'], { cwd: root });
  return JSON.parse(stdout).devices.flatMap(({ device_id, network, pairing }) =>
    pairing && network === 'whatsapp' ? [{ device: device_id, code: pairing.code }] : [],
  );
}
