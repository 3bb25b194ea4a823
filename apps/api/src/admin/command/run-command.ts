/** Runs one command: opens what it needs, prints what it answers, closes everything. */
import type { KeyObject } from 'node:crypto';
import { loadSettings, type SettingsOf } from '@kurir/config';
import { createSealer, type Database, openDatabase, type Sealer } from '@kurir/database';
import { type Output, showRows } from './show-rows.js';

/** Where a command's words go, and where its settings come from: the process's environment if nothing is given. */
export type Terminal = {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  print(text: string): void;
  /** Progress and complaints, for people; never part of the output. */
  say(text: string): void;
};

export type Admin = {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly masterKey: KeyObject;
  readonly simulatorUrl: string | null;
  say(text: string): void;
};

export type OutputOptions = { readonly json?: boolean };

/** How the commands run their work. */
export type Run = (options: OutputOptions, work: (admin: Admin) => Promise<Output>) => Promise<void>;

function openAdmin(settings: SettingsOf<'admin'>, say: Admin['say']): Admin {
  return {
    database: openDatabase({ url: settings.DATABASE_URL, poolSize: 2 }),
    sealer: createSealer(settings.KURIR_MASTER_KEY),
    masterKey: settings.KURIR_MASTER_KEY,
    simulatorUrl: settings.KURIR_SIMULATOR_URL?.replace(/\/+$/, '') ?? null,
    say,
  };
}

export function createRun({ environment, print, say }: Terminal): Run {
  return async (options, work) => {
    const admin = openAdmin(loadSettings('admin', environment), say);
    try {
      const output = await work(admin);
      print(options.json === true ? JSON.stringify(output) : showRows(output));
    } finally {
      await admin.database.close();
    }
  };
}
