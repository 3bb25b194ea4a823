// Renders the overlays of deploy/kubernetes with the Kustomize of this machine.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';

export const OVERLAYS = ['trial', 'production'];

const PROGRAMS = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
];
/** The folders of make-secrets.mjs. */
const SECRETS = ['keys', 'owner', 'postgres', 'redis'];
const maxBuffer = 16 * 1024 * 1024;

/** The command of a Kustomize, or null if this machine has none. */
export function findKustomize() {
  return PROGRAMS.find(([program]) => runs(program)) ?? null;
}

function runs(program) {
  const args = program === 'kubectl' ? ['version', '--client'] : ['version'];
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The objects of each overlay: `{trial: [...], production: [...]}`. Rejects with the message of Kustomize. */
export async function renderOverlays(root, [program, ...args]) {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-kubernetes-'));
  try {
    cpSync(join(root, 'deploy', 'kubernetes'), folder, { recursive: true });
    makeSecrets(root, join(folder, 'overlays', 'trial', 'secrets'));
    const render = async (overlay) => {
      const { stdout } = await promisify(execFile)(program, [...args, join(folder, 'overlays', overlay)], {
        maxBuffer,
      });
      return [overlay, parseAllDocuments(stdout).map((document) => document.toJS())];
    };
    return Object.fromEntries(await Promise.all(OVERLAYS.map(render)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As docs/kubernetes.md has it. Secrets that somebody made here before stay out of the copy. */
function makeSecrets(root, folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const name of SECRETS) mkdirSync(join(folder, name), { recursive: true });
  execFileSync(process.execPath, [join(root, 'docker', 'make-secrets.mjs'), folder], { stdio: 'ignore' });
}
