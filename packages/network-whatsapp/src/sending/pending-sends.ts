/**
 * The written messages of one session that wait for the acknowledgement of the network. Each is resolved exactly once.
 */

/** The answer of the network to one written stanza. */
export type Answer =
  | { readonly kind: 'acknowledged' }
  /** `error` is the code in the acknowledgement. */
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'unknown'; readonly reason: 'no_answer' | 'connection_lost' };

type Waiting = { readonly answer: (answer: Answer) => void; readonly timer: NodeJS.Timeout };

export class PendingSends {
  readonly #timeoutMs: number;
  /** Oldest first. Two running sends with one id are resolved in the order of their calls. */
  readonly #byId = new Map<string, Waiting[]>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(id: string): Promise<Answer> {
    return new Promise((answer) => {
      const timer = setTimeout(() => this.resolve(id, { kind: 'unknown', reason: 'no_answer' }), this.#timeoutMs);
      const sameId = this.#byId.get(id);
      if (sameId) sameId.push({ answer, timer });
      else this.#byId.set(id, [{ answer, timer }]);
    });
  }

  /** Resolves the oldest send with this id. Returns false when none waits. */
  resolve(id: string, given: Answer): boolean {
    const sameId = this.#byId.get(id);
    const oldest = sameId?.shift();
    if (sameId?.length === 0) this.#byId.delete(id);
    if (oldest === undefined) return false;
    clearTimeout(oldest.timer);
    oldest.answer(given);
    return true;
  }

  resolveAll(given: Answer): void {
    for (const [id, sameId] of this.#byId) {
      while (sameId.length > 0) this.resolve(id, given);
    }
  }
}
