// `npm run admin -- <command>`: manages accounts, keys, plans and devices. It uses the Kurir that `npm start` runs in
// this folder, or the one that DATABASE_URL and the other settings name.
import { spawn } from 'node:child_process';
import { defaultStateDir, fromRoot, root } from './local/paths.mjs';
import { findRunning } from './state/running.mjs';
import { localSecrets } from './state/secrets.mjs';

const running = process.env.DATABASE_URL ? null : await findRunning(defaultStateDir);
const args = process.argv.slice(2);
const asksForHelp = args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h');
if (!running?.settings && !process.env.DATABASE_URL && !asksForHelp) {
  console.error('Nothing runs in this folder. Start it with "npm start", or set DATABASE_URL and the keys.');
  process.exit(1);
}

const settings = running
  ? { ...running.settings, ...localSecrets(defaultStateDir, process.env), NODE_ENV: 'development' }
  : {};
const child = spawn(process.execPath, [fromRoot('apps/api/dist/admin.js'), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...settings },
});
child.once('exit', (code) => process.exit(code ?? 1));
