/**
 * The faults that wait for their event. Each message, receipt or login uses up one match of the oldest fault that
 * matches. They are not in the journal: a restart of the network disarms all.
 */
import { type DeviceFault, type Fault, isDeviceFault, type WaitingFault } from './faults.js';

const MAX_ARMED = 1_000;

type Armed = {
  readonly id: number;
  readonly fault: Fault;
  readonly effectiveAt: Date;
  remaining: number;
  timer?: NodeJS.Timeout;
};
export type ArmedFault = {
  readonly id: number;
  readonly fault: Fault;
  readonly effectiveAt: Date;
  readonly remaining: number;
};

export class ArmedFaults {
  readonly #armed = new Map<number, Armed>();
  #lastId = 0;

  /** Null when too many faults are armed already. */
  arm(fault: WaitingFault): ArmedFault | null {
    return this.#add(fault, fault.count);
  }

  /** Runs `strike` after the fault's `after_ms`, unless the fault is cleared before. */
  schedule(fault: DeviceFault, strike: () => void): ArmedFault | null {
    const armed = this.#add(fault, 1);
    if (!armed) return null;
    armed.timer = setTimeout(() => {
      this.#armed.delete(armed.id);
      strike();
    }, fault.after_ms);
    return armed;
  }

  /** Uses up one match of the oldest matching fault of the wanted kinds. Null when there is none. */
  fire<F extends WaitingFault>(
    isWanted: (fault: WaitingFault) => fault is F,
    deviceId: string,
    recipient?: string,
  ): F | null {
    if (this.#armed.size === 0) return null;
    for (const armed of this.#armed.values()) {
      const { fault } = armed;
      if (isDeviceFault(fault) || !isWanted(fault) || armed.effectiveAt.getTime() > Date.now()) continue;
      if (!matches(fault, deviceId, recipient)) continue;
      armed.remaining -= 1;
      if (armed.remaining === 0) this.#armed.delete(armed.id);
      return fault;
    }
    return null;
  }

  list(): readonly ArmedFault[] {
    return [...this.#armed.values()];
  }

  /** Disarms all faults and returns how many there were. */
  clear(): number {
    const count = this.#armed.size;
    for (const { timer } of this.#armed.values()) clearTimeout(timer);
    this.#armed.clear();
    return count;
  }

  #add(fault: Fault, count: number): Armed | null {
    if (this.#armed.size >= MAX_ARMED) return null;
    this.#lastId += 1;
    const armed = { id: this.#lastId, fault, remaining: count, effectiveAt: new Date(Date.now() + fault.after_ms) };
    this.#armed.set(armed.id, armed);
    return armed;
  }
}

function matches(fault: WaitingFault, deviceId: string, recipient: string | undefined): boolean {
  if (fault.device_id !== undefined && fault.device_id !== deviceId) return false;
  return !('recipient' in fault) || fault.recipient === undefined || fault.recipient === recipient;
}
