/**
 * Which of the network's events were handled: told to the network in batches, after the handler resolved. An event
 * whose handler rejects stays unsettled, and the network reports it again to the device's next session.
 *
 * Nobody waits to hear it, so it goes along with the next message where one follows soon: a frame of its own costs both
 * ends as much as a message does.
 */
const waitsMs = 250;
/** Well below the 1,000 events that the network has on the way at most. */
const mostWaiting = 200;

export class SettledEvents {
  readonly #tell: (events: readonly number[]) => void;
  #handled: number[] = [];
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(tell: (events: readonly number[]) => void) {
    this.#tell = tell;
  }

  async after(event: number, handle: () => Promise<void>): Promise<void> {
    try {
      await handle();
    } catch {
      // The worker logs its own failure; leaving the event unsettled is how the network learns of it.
      return;
    }
    if (this.#stopped) return;
    this.#handled.push(event);
    if (this.#handled.length >= mostWaiting) this.flush();
    else this.#timer ??= setTimeout(() => this.#onTime(), waitsMs);
  }

  /** What was handled and not told yet, for a caller that tells it; empty when there is nothing. */
  take(): number[] {
    const events = this.#handled;
    if (events.length > 0) this.#handled = [];
    return events;
  }

  flush(): void {
    const events = this.take();
    if (events.length > 0) this.#tell(events);
  }

  /** What was not told is lost. */
  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #onTime(): void {
    this.#timer = null;
    this.flush();
  }
}
