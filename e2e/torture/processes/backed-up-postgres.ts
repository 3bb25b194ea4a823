/** Backs Postgres up and returns it to a moment, with the commands of docs/backup.md. */
import { mkdirSync, rmSync, statSync, chownSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandsUnder, recoveryMoment, runCommands } from '@kurir/testing';
import type { ServerCommands, Servers } from './servers.js';

const page = 'docs/backup.md';

export type BackedUpPostgres = {
  /** A base backup. Postgres works meanwhile. */
  copyFiles(): Promise<void>;
  /** Ends Postgres, and starts it as it was at the moment. No program may use it. Unix milliseconds. */
  returnTo(moment: number): Promise<void>;
};

/** Postgres' user must write into the folder, and into the one around the data, which gets another name. */
function makeFolder(data: string): string {
  const folder = join(dirname(data), 'backup');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const { uid, gid } = statSync(data);
  for (const each of [folder, dirname(data)]) chownSync(each, uid, gid);
  return folder;
}

/** Restarts Postgres, because it keeps its log only after a restart. */
export async function backUp({ postgres }: Servers, commands: ServerCommands): Promise<BackedUpPostgres> {
  const { programs, pidFile } = commands.postgres;
  if (programs === null) throw new Error('the client programs of Postgres are missing');
  const data = dirname(pidFile);
  const { hostname, port, username, password } = new URL(commands.postgres.url);
  const env = {
    PGDATA: data,
    BACKUP: makeFolder(data),
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
  };
  const paste = (heading: string, position: number, more: Readonly<Record<string, string>> = {}) =>
    runCommands(commandsUnder(page, heading).slice(position, position + 1), {
      programs,
      ownedLike: data,
      env: { ...env, ...more },
    });
  await paste('Keep the log', 0);
  await postgres.end('SIGINT');
  await postgres.untilReady();
  return {
    copyFiles: async () => void (await paste('Copy the files', 0)),
    async returnTo(moment) {
      await postgres.stop();
      rmSync(`${data}.old`, { recursive: true, force: true });
      await paste('Return to a moment', 1, { MOMENT: recoveryMoment(moment) });
      postgres.start();
      await postgres.untilReady();
      await paste('Return to a moment', 2);
    },
  };
}
