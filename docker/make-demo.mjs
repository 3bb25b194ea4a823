// `docker compose up` with docker/demo.yml runs this last. It makes the demo account with a plan, a key and a device of
// the simulated network. A second run makes nothing new.
//
// The secret of the key is shown once and kept in its own volume, where the `kurir` service reads it. If the secret is
// not there, the key gets a new one, and the old one stays valid for a day. The secret is missing if the volume is gone
// or if the run that made the key was killed.
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

/** Has the form of .kurir/dev.json of `npm start`, with the address that containers use. */
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
