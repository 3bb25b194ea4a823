/** The commands of the runbooks, as docs/alerts.md has them. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const sections = readFileSync(`${root}docs/alerts.md`, 'utf8').split(/^### /m);

function commandOf(alert: string): string {
  const section = sections.find((text) => text.startsWith(`${alert}\n`)) ?? '';
  const [, command] = /^```sh\n([^]*?)^```$/m.exec(section) ?? [];
  if (command === undefined) throw new Error(`docs/alerts.md has no command for ${alert}`);
  return command;
}

/** The short names of the page, for programs that run beside the test. */
const shortNames = `
  admin() { node apps/api/dist/admin.js "$@"; }
  metrics() { curl -s -H "Authorization: Bearer $KURIR_METRICS_TOKEN" "http://$1/metrics"; }`;

/** Runs the command and returns its output. `env` names the hosts, and has the settings of the admin program. */
export async function runRunbook(alert: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { PATH } = process.env;
  const { stdout } = await run('bash', ['-c', `${shortNames}\n${commandOf(alert)}\ntrue`], {
    cwd: root,
    env: { PATH, ...env },
  });
  return stdout;
}
