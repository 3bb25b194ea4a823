/** Asks `usync` queries. After the network asked to slow down, asks nothing until that time is over. */
import type { SendOutcome } from '@kurir/network';
import type { WASocket } from 'baileys';
import { codeOfRefusedQuery, RATE_MS, retryAfter } from '../socket/refusals.js';
import { type AskedUser, askUsync, type UsyncAnswer, type UsyncProtocol } from './usync.js';

const TOO_MANY = 429;

export class Lookups {
  readonly #socket: WASocket;
  /** In milliseconds of `performance.now()`. */
  #quietUntil = 0;

  constructor(socket: WASocket) {
    this.#socket = socket;
  }

  /**
   * Null when the network did not answer. An outcome when the network asked to slow down. Rejects when the network
   * refused the query.
   */
  async ask(
    context: 'interactive' | 'message',
    protocols: readonly UsyncProtocol[],
    users: readonly AskedUser[],
  ): Promise<UsyncAnswer | SendOutcome | null> {
    const quietMs = this.#quietUntil - performance.now();
    if (quietMs > 0) return retryAfter(quietMs, 'rate_limited_by_network');
    try {
      const answer = await askUsync(this.#socket, context, protocols, users);
      if (answer === null) return null;
      const throttled = protocols.map((protocol) => answer.errors[protocol]).find((error) => error?.code === TOO_MANY);
      return throttled === undefined ? answer : this.#slowDown(throttled.backoffMs ?? RATE_MS);
    } catch (error) {
      if (codeOfRefusedQuery(error) === TOO_MANY) return this.#slowDown(RATE_MS);
      throw error;
    }
  }

  #slowDown(forMs: number): SendOutcome {
    this.#quietUntil = performance.now() + forMs;
    return retryAfter(forMs, 'rate_limited_by_network');
  }
}
