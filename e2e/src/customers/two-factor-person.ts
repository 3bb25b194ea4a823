/** A person with two-factor sign-in who signs in to the dashboard without a browser: the calls of its pages, with a jar of cookies. */
import { randomUUID } from 'node:crypto';
import { authenticatorCode } from '../browser/authenticator-code.js';

const password = 'kuda poni di atas awan';

export class TwoFactorPerson {
  readonly #cookies = new Map<string, string>();
  readonly #email: string;
  #authenticatorKey = '';
  #backupCodes: readonly string[] = [];

  private constructor(email: string) {
    this.#email = email;
  }

  /** Opens an account and turns on two-factor sign-in. */
  static async signUp(baseUrl: string): Promise<TwoFactorPerson> {
    const person = new TwoFactorPerson(`${randomUUID()}@example.com`);
    await person.#post(baseUrl, '/sign-up/email', { email: person.#email, password, name: 'Budi' });
    const enabled = await person.#post(baseUrl, '/two-factor/enable', { password });
    person.#authenticatorKey = new URL(String(enabled['totpURI'])).searchParams.get('secret') ?? '';
    // The tests of two-factor sign-in assert this shape.
    person.#backupCodes = enabled['backupCodes'] as string[];
    await person.#post(baseUrl, '/two-factor/verify-totp', { code: person.code() });
    return person;
  }

  code(): string {
    return authenticatorCode(this.#authenticatorKey);
  }

  async isSignedIn(baseUrl: string): Promise<boolean> {
    return (await this.#fetch(baseUrl, '/app/api/me')).ok;
  }

  /** The person on another browser, signed in with a code of the authenticator or with a backup code. */
  async signInElsewhere(baseUrl: string, way: 'authenticator' | 'backup code'): Promise<TwoFactorPerson> {
    const other = new TwoFactorPerson(this.#email);
    other.#authenticatorKey = this.#authenticatorKey;
    await other.#post(baseUrl, '/sign-in/email', { email: this.#email, password });
    if (way === 'authenticator') await other.#post(baseUrl, '/two-factor/verify-totp', { code: this.code() });
    else await other.#post(baseUrl, '/two-factor/verify-backup-code', { code: this.#backupCodes[0] });
    return other;
  }

  async #post(baseUrl: string, path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await this.#fetch(baseUrl, `/app/api/auth${path}`, body);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as Record<string, unknown>;
  }

  async #fetch(baseUrl: string, target: string, body?: object) {
    const answer = await fetch(baseUrl + target, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Origin: baseUrl,
        Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return { ok: answer.ok, status: answer.status, text: await answer.text() };
  }
}
