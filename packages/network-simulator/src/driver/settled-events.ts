/**
 * Which of the network's events were handled: told to the network in batches, after the handler resolved. An event
 * whose handler rejects stays unsettled. What was not told when a connection ends comes again, to the device's next one.
 */

/**
 * Nobody waits to hear of it, so it goes along with the next message where one follows within this time: a frame of its
 * own costs each end one more system call.
 */
const waitsMs = 250;
/** Well below the number of events that the network has on the way at most (`outbox.ts`). */
const mostWaiting = 200;

export class SettledEvents {
  readonly #tell: (events: number[]) => void;
  #handled: number[] = [];
  /** When the oldest of them was handled. */
  #sinceMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(tell: (events: number[]) => void) {
    this.#tell = tell;
  }

  /** Where `handled` rejects, the event stays unsettled: that is how the network learns of it. */
  after(event: number, handled: Promise<unknown>): Promise<void> {
    return handled.then(
      () => this.#add(event),
      () => undefined,
    );
  }

  /** What was handled and not told yet, for a caller that tells it. */
  take(): number[] {
    const events = this.#handled;
    this.#handled = [];
    return events;
  }

  flush(): void {
    const events = this.take();
    if (events.length > 0) this.#tell(events);
  }

  stop(): void {
    this.#stopped = true;
    this.take();
    if (this.#timer) clearTimeout(this.#timer);
  }

  #add(event: number): void {
    if (this.#stopped) return;
    if (this.#handled.length === 0) this.#sinceMs = performance.now();
    this.#handled.push(event);
    if (this.#handled.length >= mostWaiting) this.flush();
    else this.#timer ??= setTimeout(() => this.#onTime(), waitsMs);
  }

  /** What it was set for may be told; what came since has its own time. */
  #onTime(): void {
    this.#timer = null;
    if (this.#handled.length === 0) return;
    const leftMs = this.#sinceMs + waitsMs - performance.now();
    if (leftMs > 0) this.#timer = setTimeout(() => this.#onTime(), Math.ceil(leftMs));
    else this.flush();
  }
}
