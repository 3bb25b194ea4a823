/** The written messages of one session that wait for the network's acknowledgement. Each is answered exactly once. */
import type { SendOutcome } from '@kurir/network';

type Waiting = { readonly answer: (outcome: SendOutcome) => void; readonly timer: NodeJS.Timeout };

export class PendingSends {
  readonly #timeoutMs: number;
  /** Oldest first; two running sends of one id are answered in the order of their calls. */
  readonly #byId = new Map<string, Waiting[]>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(id: string): Promise<SendOutcome> {
    return new Promise((answer) => {
      const timer = setTimeout(() => this.settle(id, { kind: 'unknown', reason: 'no_answer' }), this.#timeoutMs);
      const sameId = this.#byId.get(id);
      if (sameId) sameId.push({ answer, timer });
      else this.#byId.set(id, [{ answer, timer }]);
    });
  }

  /** Answers the oldest send of this id; false when none waits. */
  settle(id: string, outcome: SendOutcome): boolean {
    const sameId = this.#byId.get(id);
    const oldest = sameId?.shift();
    if (sameId?.length === 0) this.#byId.delete(id);
    if (oldest === undefined) return false;
    clearTimeout(oldest.timer);
    oldest.answer(outcome);
    return true;
  }

  settleAll(outcome: SendOutcome): void {
    for (const [id, sameId] of this.#byId) {
      while (sameId.length > 0) this.settle(id, outcome);
    }
  }
}
