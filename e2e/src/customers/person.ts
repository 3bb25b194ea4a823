/** A person whose browser talks to the api without pages. It has its own cookies and, behind a trusted proxy, its own address. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Database } from '@kurir/database';
import { waitUntil } from '@kurir/testing';

export const password = 'kuda poni di atas awan';

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

export const someAddress = () => `198.51.${randomInt(256)}.${randomInt(256)}`;

export class Person {
  readonly #baseUrl: string;
  readonly #cookies = new Map<string, string>();
  readonly #address = someAddress();
  readonly email: string;

  constructor(baseUrl: string, email = `${randomUUID()}@example.com`) {
    this.#baseUrl = baseUrl;
    this.email = email;
  }

  /** Sends JSON with the headers of a browser. Needs KURIR_TRUST_PROXY 1 to come from its own address. */
  async ask(
    method: string,
    target: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(this.#baseUrl + target, {
      method,
      redirect: 'manual',
      headers: {
        'X-Forwarded-For': this.#address,
        Origin: this.#baseUrl,
        ...(cookie === '' ? {} : { Cookie: cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return { status: answer.status, headers: answer.headers, body: isJson ? (JSON.parse(text) as unknown) : text };
  }

  /** Posts to a route of signing in. */
  auth(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.ask('POST', `/app/api/auth${path}`, body, headers);
  }

  async signUp(name = 'Person'): Promise<this> {
    const { status, body } = await this.auth('/sign-up/email', { email: this.email, password, name });
    if (status !== 200) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`);
    return this;
  }

  async signIn(withPassword = password, headers?: Readonly<Record<string, string>>): Promise<number> {
    return (await this.auth('/sign-in/email', { email: this.email, password: withPassword }, headers)).status;
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';', 1);
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    if (value === '' || /max-age=0/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

/** The part of an answer's body under these names. */
export function field(body: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (part, name) => (typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined),
    body,
  );
}

/** Waits for a mail to this person in the mailbox of a development run. Returns the token in its link. */
export function mailedToken({ pool }: Database, email: string, pattern: RegExp): Promise<string> {
  return waitUntil(
    async () => {
      const { rows } = await pool.query<{ text: string }>(
        'SELECT text FROM kept_mails WHERE recipient = $1 ORDER BY created_at DESC',
        [email],
      );
      return rows.map(({ text }) => pattern.exec(text)?.[1]).find((token) => token !== undefined);
    },
    { what: `a mail to ${email} has a token` },
  );
}
