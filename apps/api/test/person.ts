/**
 * A person with a browser, which has its own cookies and IP address. Its requests are those of the dashboard's pages.
 */
import { randomInt } from 'node:crypto';
import { type AccountId, newId, type UserId } from '@kurir/contracts';
import { type OperationNameForPeople, operationsForPeople, type MemberRole } from '@kurir/contracts/dashboard';
import { addMember, type Database } from '@kurir/database';
import type { Sent } from './signed-request.js';
import { readAnswer } from './signed-request.js';

export type CallParts = {
  readonly params?: Readonly<Record<string, string>>;
  readonly deviceId?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Returns the headers that a page sends. */
export const headersOf = ({ deviceId, headers }: CallParts): Record<string, string> => ({
  ...(deviceId === undefined ? {} : { 'X-Device-Id': deviceId }),
  ...headers,
});

export const password = 'correct horse battery';

/**
 * Needs KURIR_TRUST_PROXY 1, so that each browser has an IP address of its own. Otherwise the people of a test would
 * share the limits per address.
 */
export class Browser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  readonly ip = `198.51.${randomInt(256)}.${randomInt(256)}`;
  /** The Set-Cookie headers of the last answer. */
  lastCookies: string[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async fetch(method: string, target: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const answer = await fetch(this.#url + target, {
      method,
      redirect: 'manual',
      headers: {
        'X-Forwarded-For': this.ip,
        Origin: this.#url,
        ...(this.#cookies.size === 0 ? {} : { Cookie: this.cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.lastCookies = answer.headers.getSetCookie();
    for (const line of this.lastCookies) this.#keep(line);
    return answer;
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';', 1);
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    if (value === '' || /max-age=0/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }

  /** Calls a route of better-auth. */
  async auth(path: string, body?: unknown, headers?: Readonly<Record<string, string>>) {
    const answer = await this.fetch(body === undefined ? 'GET' : 'POST', `/app/api/auth${path}`, body, headers);
    const text = await answer.text();
    // Each test asserts the shape that it needs.
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown> | null };
  }

  /** Calls an operation of the dashboard's route table. */
  async call(operation: OperationNameForPeople, parts: CallParts = {}): Promise<Sent> {
    const { method, path } = operationsForPeople[operation];
    const { params = {}, query, body } = parts;
    const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? 'none'));
    const target = query === undefined ? filled : `${filled}?${query}`;
    return readAnswer(await this.fetch(method, target, body, headersOf(parts)));
  }
}

export type Person = {
  readonly browser: Browser;
  readonly userId: UserId;
  readonly accountId: AccountId;
  readonly email: string;
};

export const newEmail = () => `${newId('usr').slice(4)}@example.com`;

/** Signs a new person up and in. The person owns a new account. `more` are further fields of the sign-up. */
export async function signUp(url: string, email = newEmail(), more: object = {}): Promise<Person> {
  const browser = new Browser(url);
  const { status, body } = await browser.auth('/sign-up/email', {
    email,
    password,
    name: `Person ${email.slice(0, 6)}`,
    language: 'en',
    ...more,
  });
  if (status !== 200) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`);
  const me = await browser.call('readMe');
  const { user, account } = me.body.data as { user: { user_id: UserId }; account: { account_id: AccountId } };
  return { browser, userId: user.user_id, accountId: account.account_id, email };
}

/** Signs up another person, who joins the account in this role and has it open. */
export async function signUpAs(
  url: string,
  database: Database,
  accountId: AccountId,
  role: MemberRole,
): Promise<Person> {
  const person = await signUp(url);
  await addMember(database, accountId, person.userId, role);
  await person.browser.call('switchAccount', { body: { account_id: accountId } });
  return { ...person, accountId };
}
