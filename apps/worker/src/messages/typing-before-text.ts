/** What a device does to look less like a machine: the recipient is shown that it types before each text. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@kurir/logging';
import type { Session } from '@kurir/network';

export type TypingBeforeText = {
  /** Shows typing for the device's time, before the first try of a text; never rejects. */
  before(session: Session, recipient: string): Promise<void>;
};

/** `typingMs`: for how long; 0: not at all. Asked each time: a change counts at once. */
export function createTypingBeforeText(typingMs: () => number, log: Logger): TypingBeforeText {
  return {
    async before(session, recipient) {
      const ms = typingMs();
      if (ms === 0) return;
      try {
        await session.typing(recipient, 'start');
        await sleep(ms);
      } catch (err) {
        // The text is what counts.
        log.warn({ err }, 'typing before a text not taken');
      }
    },
  };
}
