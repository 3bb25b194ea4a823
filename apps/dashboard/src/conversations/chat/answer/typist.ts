/** Shows the other person that somebody types, with few signals. */

/** A phone stops to show the signal after a while, so it is repeated. */
const repeatMs = 10_000;
/** Nobody has typed for this long: the person thinks, or has left. */
const idleMs = 4_000;

export type Typist = {
  /** Somebody typed a character. */
  typed(): void;
  /** The field is empty again, or the person has left it. */
  stop(): void;
  /** The message goes out, and ends the signal by itself. */
  sent(): void;
};

export function createTypist(signal: (action: 'start' | 'stop') => void): Typist {
  let startedAt: number | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;

  function sent(): void {
    clearTimeout(idle);
    startedAt = null;
  }

  function stop(): void {
    if (startedAt !== null) signal('stop');
    sent();
  }

  return {
    typed() {
      const now = Date.now();
      if (startedAt === null || now - startedAt >= repeatMs) {
        startedAt = now;
        signal('start');
      }
      clearTimeout(idle);
      idle = setTimeout(stop, idleMs);
    },
    stop,
    sent,
  };
}
