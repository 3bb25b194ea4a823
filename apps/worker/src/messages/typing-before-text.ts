/** Shows the recipient that somebody types before each text, so that the device looks less like a machine. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@kurir/logging';
import type { Session } from '@kurir/network';

export type TypingBeforeText = {
  /** Shows typing for the device's time, before the first try of a text; never rejects. */
  before(session: Session, recipient: string): Promise<void>;
};

/** `typingMs` returns how long to type; 0 for no typing. It is called for each text, so that a change counts at once. */
export function createTypingBeforeText(typingMs: () => number, log: Logger): TypingBeforeText {
  return {
    async before(session, recipient) {
      const ms = typingMs();
      if (ms === 0) return;
      try {
        await session.typing(recipient, 'start');
        await sleep(ms);
      } catch (err) {
        // The text goes out without it.
        log.warn({ err }, 'typing before a text not taken');
      }
    },
  };
}
