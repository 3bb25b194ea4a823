/** What a device does to look less like a machine: a random wait before a turn, and typing before a text. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@kurir/logging';
import type { Session } from '@kurir/network';

export type PacePreference = { readonly paceJitterMs: number; readonly typingMs: number };

export type PolitePace = {
  /** Whether turns wait for a random time. */
  hasJitter(): boolean;
  /** Whether texts wait for typing. */
  hasTyping(): boolean;
  /** Before the claim. An otp turn waits for no more than the wait that is running when it comes. */
  beforeTurn(priority: number): Promise<void>;
  /** Before the first try of a text; never rejects. */
  beforeText(session: Session, recipient: string): Promise<void>;
};

const otp = 0;

export function createPolitePace(
  /** Asked each time: a change counts at once. */
  preference: () => PacePreference,
  log: Logger,
  random: () => number = Math.random,
): PolitePace {
  return {
    hasJitter: () => preference().paceJitterMs > 0,
    hasTyping: () => preference().typingMs > 0,
    async beforeTurn(priority) {
      const { paceJitterMs } = preference();
      if (priority !== otp && paceJitterMs > 0) await sleep(random() * paceJitterMs);
    },
    async beforeText(session, recipient) {
      const { typingMs } = preference();
      if (typingMs === 0) return;
      try {
        await session.typing(recipient, 'start');
        await sleep(typingMs);
      } catch (err) {
        // The text is what counts.
        log.warn({ err }, 'typing before a text not taken');
      }
    },
  };
}
