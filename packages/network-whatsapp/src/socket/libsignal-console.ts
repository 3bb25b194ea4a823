/**
 * libsignal 6.0.0 prints whole sessions, with private keys, to the console whenever one is opened or closed. It has no
 * logger to replace. So the lines that it is known to print are dropped before the console gets them; every other line
 * passes. The test reads libsignal's source and fails when a new version prints a new line.
 */
const METHODS = ['info', 'warn', 'error'] as const;

/** The beginning of each line, from libsignal's `src`. */
export const KNOWN_LINES = [
  'Closing session:',
  'Opening session:',
  'Removing old closed session:',
  'Session already closed',
  'Session already open',
  'Migrating session to:',
  'V1 session storage migration error',
  'Closing open session in favor of incoming prekey bundle',
  'Decrypted message with closed session.',
  'Failed to decrypt message with any known session',
  'Session error:',
  'Unhandled bucket type',
  'WARNING: Expected pubkey of length 33',
] as const;

let silenced = false;

/** For the whole process. Later calls do nothing. */
export function silenceLibsignal(): void {
  if (silenced) return;
  silenced = true;
  for (const method of METHODS) {
    const print = console[method].bind(console);
    console[method] = (...line: unknown[]) => {
      if (!isKnown(line[0])) print(...line);
    };
  }
}

function isKnown(first: unknown): boolean {
  return typeof first === 'string' && KNOWN_LINES.some((known) => first.startsWith(known));
}
