/**
 * Which of the network's events were handled: told to the network in batches, after the handler resolved. An event
 * whose handler rejects stays unsettled, and the network reports it again to the device's next session.
 */
export class SettledEvents {
  readonly #tell: (events: readonly number[]) => void;
  #handled: number[] = [];
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
    this.#handled.push(event);
    if (this.#handled.length === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    if (this.#stopped || this.#handled.length === 0) return;
    const events = this.#handled;
    this.#handled = [];
    this.#tell(events);
  }

  stop(): void {
    this.#stopped = true;
  }
}
