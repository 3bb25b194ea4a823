/**
 * The servers that an address of Postgres names. New connections go to one of them, until it is away or may only be
 * read. Then they go to the next.
 */
import { urlsOfServers } from '@kurir/config';

/** pg warns of these modes. It checks the certificate and the name for both of them, as `verify-full` does. */
const verified: ReadonlySet<string | null> = new Set(['prefer', 'require']);

/**
 * The address as pg understands it. pg reads the files of `sslrootcert`, `sslcert` and `sslkey` for each connection, so
 * new certificates count without a restart.
 */
function forDriver(url: string, database: string | undefined): string {
  const asked = new URL(url);
  if (database !== undefined) asked.pathname = `/${encodeURIComponent(database)}`;
  const mode = asked.searchParams.get('sslmode');
  asked.searchParams.delete('target_session_attrs');
  if (verified.has(mode)) asked.searchParams.set('sslmode', 'verify-full');
  // Only with this does pg check the certificate and not the name.
  if (mode === 'verify-ca') asked.searchParams.set('uselibpqcompat', 'true');
  return asked.href;
}

export class Servers {
  readonly #urls: readonly string[];
  #at = 0;

  /** `database` replaces the one of the URL. */
  constructor(url: string, database?: string) {
    this.#urls = urlsOfServers(url).map((each) => forDriver(each, database));
  }

  get count(): number {
    return this.#urls.length;
  }

  /** How often a server was left. */
  get left(): number {
    return this.#at;
  }

  get url(): string {
    return this.#urls[this.#at % this.#urls.length] ?? '';
  }

  /** Several connections may fail at once. Only the first one moves on. */
  leave(url: string): void {
    if (url === this.url) this.#at++;
  }
}
