/** The sends of one session that wait for the network's answer, by message id. Each is resolved exactly once. */
import type { SendOutcome } from '@kurir/network';

type Waiting = { readonly answer: (outcome: SendOutcome) => void; readonly deadline: number };

export class PendingSends {
  readonly #timeoutMs: number;
  /** Oldest first. Two running sends with one id are resolved in the order of their calls. */
  readonly #byId = new Map<string, Waiting[]>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(id: string): Promise<SendOutcome> {
    return new Promise((answer) => {
      const waiting = { answer, deadline: performance.now() + this.#timeoutMs };
      const sameId = this.#byId.get(id);
      if (sameId) sameId.push(waiting);
      else this.#byId.set(id, [waiting]);
    });
  }

  /** Resolves the oldest send with this id. Returns false when none waits. */
  resolve(id: string, outcome: SendOutcome): boolean {
    const sameId = this.#byId.get(id);
    const oldest = sameId?.shift();
    if (sameId?.length === 0) this.#byId.delete(id);
    oldest?.answer(outcome);
    return oldest !== undefined;
  }

  expire(now: number): void {
    for (const [id, sameId] of this.#byId) {
      while (sameId[0] && sameId[0].deadline <= now) this.resolve(id, { kind: 'unknown', reason: 'no_answer' });
    }
  }

  resolveAll(outcome: SendOutcome): void {
    for (const [id, sameId] of this.#byId) {
      while (sameId.length > 0) this.resolve(id, outcome);
    }
  }
}
