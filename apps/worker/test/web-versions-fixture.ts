/** A database and a web client for the tests of `WebVersions`, and the lines that it logs. */
import { createAccount, createDevice, type Database, openDatabase } from '@kurir/database';
import { createLogger, type Logger } from '@kurir/logging';
import { fetchWebVersion, type WebVersion, type WebVersionOptions } from '@kurir/network-whatsapp';
import { createTestDatabase, type TestDatabase } from '@kurir/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { WebVersions, type WebVersionsOptions } from '../src/networks/web-versions.js';
import { startWebClient, type WebClient } from './web-client.js';

export const builtIn: WebVersion = '2.3000.100';
/** Is never aborted. */
const live = new AbortController().signal;

export type OpenOptions = Partial<Omit<WebVersionsOptions, 'lookUp'>> & {
  /** Changes how the web client is asked; null turns lookups off. */
  readonly lookUp?: Partial<WebVersionOptions> | null;
};

const warnLevel = 40;

export class WebVersionsFixture {
  readonly #copy: TestDatabase;
  readonly database: Database;
  readonly #log: Logger;
  webClient: WebClient;
  /** The lines of the log since the test began. */
  lines: string[] = [];

  private constructor(copy: TestDatabase, webClient: WebClient) {
    this.#copy = copy;
    this.webClient = webClient;
    this.database = this.openDatabase();
    const write = (line: string) => void this.lines.push(line);
    this.#log = createLogger({ name: 't', level: 'info', pretty: false, destination: { write } });
  }

  /** A database with one WhatsApp device. */
  static async create(): Promise<WebVersionsFixture> {
    const fixture = new WebVersionsFixture(await createTestDatabase(), await startWebClient('2.3000.200'));
    const accountId = await createAccount(fixture.database, 'test');
    await createDevice(fixture.database, { accountId, name: 'd', network: 'whatsapp', pacePerMinute: null });
    return fixture;
  }

  openDatabase(): Database {
    return openDatabase({ url: this.#copy.url, poolSize: 5 });
  }

  /** Forgets all versions and proxies, and starts a web client that says 2.3000.200. */
  async reset(): Promise<void> {
    const { pool } = this.database;
    await pool.query('DELETE FROM whatsapp_versions');
    await pool.query('DELETE FROM whatsapp_version_lookups');
    await this.removeProxies();
    await this.webClient.close();
    this.webClient = await startWebClient('2.3000.200');
    this.lines = [];
  }

  /** Opens the versions of one worker, and looks nothing up yet. */
  open({ lookUp = {}, ...changes }: OpenOptions = {}): Promise<WebVersions> {
    const asking = { url: this.webClient.url, privateAddresses: 'allow', timeoutMs: 5_000, ...lookUp } as const;
    return WebVersions.open({
      database: this.database,
      builtIn,
      pinned: null,
      lookUp: lookUp === null ? null : (signal) => fetchWebVersion({ ...asking, signal }),
      unlessProxied: true,
      log: this.#log,
      ...changes,
    });
  }

  /** Opens the versions of one worker, which then looks the version up if it may. */
  async openAndTend(options?: OpenOptions): Promise<WebVersions> {
    const versions = await this.open(options);
    await versions.tend(live);
    return versions;
  }

  /** Lets so much time pass since the last lookup. */
  async passTime(interval: string): Promise<void> {
    await this.database.pool.query(
      `UPDATE whatsapp_version_lookups SET asked_at = asked_at - $1::interval, due_at = due_at - $1::interval`,
      [interval],
    );
  }

  async giveProxy(): Promise<void> {
    await this.database.pool.query(`UPDATE devices SET proxy_sealed = 'x'`);
  }

  async removeProxies(): Promise<void> {
    await this.database.pool.query('UPDATE devices SET proxy_sealed = NULL');
  }

  get warnings(): string[] {
    return this.lines.filter((line) => JSON.parse(line).level === warnLevel);
  }

  async close(): Promise<void> {
    await this.webClient.close();
    await this.database.close();
    await this.#copy.drop();
  }
}

/** Registers the file's fixture. Call the returned function inside tests. */
export function useWebVersionsFixture(): () => WebVersionsFixture {
  let fixture: WebVersionsFixture | undefined;
  beforeAll(async () => {
    fixture = await WebVersionsFixture.create();
  });
  beforeEach(() => fixture?.reset());
  afterAll(() => fixture?.close());
  return () => {
    if (fixture === undefined) throw new Error('the fixture stands only inside tests');
    return fixture;
  };
}
