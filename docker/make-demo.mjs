// `docker compose up` runs this last: the demo account with a plan, a key and a device on the simulated network.
// Running it again makes nothing new. The key's secret is shown once, when it is made, and kept in a volume of its own,
// where the `kurir` service reads it. When it is not there (that volume is gone, or the run that made the key was
// killed), the key gets another secret; the one before stays valid for a day.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const file = '/app/.kurir/dev.json';
const { API_URL, PUBLIC_URL, PUBLIC_SIMULATOR_URL } = process.env;

function admin(...command) {
  const { status, stdout } = spawnSync(process.execPath, ['apps/api/dist/admin.js', ...command, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  return JSON.parse(stdout);
}

function recallSecret(apiKey) {
  if (!existsSync(file)) return null;
  const before = JSON.parse(readFileSync(file, 'utf8'));
  return before.api_key === apiKey ? before.api_secret : null;
}

/** In the form of `npm start`'s .kurir/dev.json, with the address that containers know. */
function keep(demo) {
  writeFileSync(`${file}.new`, `${JSON.stringify({ base_url: API_URL, ...demo }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

const demo = admin('demo');
const recalled = demo.api_secret === null ? recallSecret(demo.api_key) : null;
const secret = recalled ?? demo.api_secret ?? admin('key', 'rotate', demo.api_key).api_secret;
keep({ ...demo, api_secret: secret });

const [phone] = demo.phones;
console.log(`
  Kurir is ready

  API       ${PUBLIC_URL}
  Docs      ${PUBLIC_URL}/docs
  Dashboard ${PUBLIC_URL}/app
  Sign in   ${demo.sign_in_email}  ${demo.sign_in_password}
  Key       ${demo.api_key}
  Secret    ${recalled === null ? secret : 'shown when it was made; see docs/docker.md'}
  Device    ${demo.device_id}  linked to the simulated network

  Send a message:
    docker compose run --rm kurir send ${phone} "Hello"
  See what became of it, with the job id from its answer:
    docker compose run --rm kurir status <job_id>
  Look at the phone:
    curl ${PUBLIC_SIMULATOR_URL}/phones/${phone}/inbox
`);
