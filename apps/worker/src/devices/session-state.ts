/**
 * The states of a device's session, and every move between them. `npm run generate` draws them into ARCHITECTURE.md.
 *
 * - `connecting`: the driver logs in to the network.
 * - `connected`: the network took the login. The lane is closed. A lane that is opened again goes from here to `open` directly.
 * - `opening`: the worker shows the device as connected and sends what an earlier session left unanswered.
 * - `open`: the lane takes turns.
 * - `logging-out`: the last turn ends, then the driver asks the network to end the link.
 * - `closing`: the last turn ends, then the driver closes the socket.
 * - `over`: the session has ended, or the worker closed it at once. It sends nothing more.
 */
export const sessionMoves = {
  connecting: ['connected', 'closing', 'over'],
  connected: ['opening', 'open', 'logging-out', 'closing', 'over'],
  opening: ['open', 'connected', 'logging-out', 'closing', 'over'],
  open: ['connected', 'logging-out', 'closing', 'over'],
  'logging-out': ['connected', 'closing', 'over'],
  closing: ['over'],
  over: [],
} as const satisfies Record<string, readonly string[]>;

export type SessionState = keyof typeof sessionMoves;

export const sessionStates = Object.keys(sessionMoves) as readonly SessionState[];

/** The states after the login in which the socket is not known to be closed. */
const standing: ReadonlySet<SessionState> = new Set(['connected', 'opening', 'open', 'logging-out']);

/** The state of one session. A move that is not in `sessionMoves` changes nothing. */
export class SessionStateMachine {
  #state: SessionState = 'connecting';
  #wasConnected = false;

  get now(): SessionState {
    return this.#state;
  }

  /** Whether the socket can still carry messages. A session that is closing finishes its present message. */
  get isConnected(): boolean {
    return standing.has(this.#state) || (this.#state === 'closing' && this.#wasConnected);
  }

  /** Returns false and changes nothing if no such move exists. */
  move(to: SessionState): boolean {
    const allowed: readonly SessionState[] = sessionMoves[this.#state];
    if (!allowed.includes(to)) return false;
    this.#state = to;
    if (to === 'connected') this.#wasConnected = true;
    return true;
  }

  /** Moves only if the state is still `from`. Use it after an await, when the state may have changed. */
  moveFrom(from: SessionState, to: SessionState): boolean {
    return this.#state === from && this.move(to);
  }
}
