/** Runs one command: opens its resources, prints its output, and closes the resources. */
import { loadSettings, type SettingsOf } from '@kurir/config';
import { admitMasterKey, createSealer, type Database, openDatabase, type Sealer } from '@kurir/database';
import type { Keys } from '@kurir/signing';
import { CommandError } from './command-error.js';
import { type Output, showRows } from './show-rows.js';

/** The output and the settings of a command. Without `environment`, the settings come from the process. */
export type Terminal = {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  print(text: string): void;
  /** Shows progress and errors to a person. They are never part of the output. */
  say(text: string): void;
  /** Asks a person. Returns null, or is absent, if nobody is there. */
  ask?(question: string): Promise<string | null>;
};

export type Admin = {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly masterKeys: Keys;
  readonly simulatorUrl: string | null;
  say(text: string): void;
  ask(question: string): Promise<string | null>;
};

export type OutputOptions = { readonly json?: boolean };

export type Run = (options: OutputOptions, work: (admin: Admin) => Promise<Output>) => Promise<void>;

function openAdmin(settings: SettingsOf<'admin'>, { say, ask }: Terminal): Admin {
  return {
    database: openDatabase({
      url: settings.DATABASE_URL,
      pooler: settings.KURIR_DATABASE_POOLER,
      poolSize: 2,
      application: 'kurir-admin',
    }),
    sealer: createSealer(...settings.KURIR_MASTER_KEY),
    masterKeys: settings.KURIR_MASTER_KEY,
    simulatorUrl: settings.KURIR_SIMULATOR_URL?.replace(/\/+$/, '') ?? null,
    say,
    ask: (question) => ask?.(question) ?? Promise.resolve(null),
  };
}

export function createRun(terminal: Terminal): Run {
  const { environment, print } = terminal;
  return async (options, work) => {
    const admin = openAdmin(loadSettings('admin', environment), terminal);
    try {
      const faults = await admitMasterKey(admin.database, admin.sealer);
      if (faults.length > 0) throw new CommandError(faults.join('\n'));
      const output = await work(admin);
      print(options.json === true ? JSON.stringify(output) : showRows(output));
    } finally {
      await admin.database.close();
    }
  };
}
