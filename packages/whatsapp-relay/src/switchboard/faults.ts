/**
 * Faults on request. Each is armed for the next event that it fits, or for as many events as `times` says. `lift` or
 * `clear` disarms it earlier. Stream errors need no arming: `Phone.endStream` sends them to a live device.
 */
import type { QueryKind } from '../wire/query-kind.js';

/**
 * The `error` of a negative acknowledgement. 463: the sender may not write to strangers; 479: stale device; 429: too
 * fast.
 */
export type AcknowledgementError = 400 | 403 | 404 | 429 | 463 | 475 | 479 | 500 | 503;

export type MessageFault =
  | { readonly kind: 'refuse'; readonly error: AcknowledgementError }
  /** Neither acknowledged nor delivered. */
  | { readonly kind: 'swallow-before-acknowledgement' }
  /** Acknowledged, never delivered. */
  | { readonly kind: 'swallow-after-acknowledgement' }
  /** Delivered, never acknowledged. */
  | { readonly kind: 'lose-acknowledgement' }
  | { readonly kind: 'delay-acknowledgement'; readonly delayMs: number }
  /** The relay resets the connection before it reads the message. */
  | { readonly kind: 'reset-before-delivery' }
  /** Delivered; then the relay resets the connection in the middle of the acknowledgement's frame. */
  | { readonly kind: 'reset-mid-acknowledgement' }
  /** Each device gets its copy twice, under the same id. */
  | { readonly kind: 'deliver-twice' }
  /** Acknowledged with `refresh_lid`: the sender's LID of the recipient is out of date (Baileys #2661). */
  | { readonly kind: 'refresh-lid' };

export type QueryFault =
  | { readonly kind: 'refuse'; readonly error: number; readonly text: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'reset' };

/**
 * The server answers a usync query, but one of its protocols fails: for all users, or for each of them. Other queries
 * are not affected.
 */
export type UsyncFault = {
  readonly kind: 'protocol-error' | 'user-error';
  readonly protocol: 'contact' | 'devices' | 'lid';
  readonly error: number;
  readonly text: string;
  /** How long the client must wait before it asks again. */
  readonly backoffSeconds?: number;
};

/** `<failure reason=…/>` instead of `<success/>`. A temporary ban (402) has a code and lasts `expireSeconds`. */
export type LoginFailure =
  | { readonly reason: 401 | 403 | 405 | 406 | 409 | 411 | 500 | 503 }
  | { readonly reason: 402; readonly code: 101 | 102 | 103 | 104 | 106; readonly expireSeconds: number };

export type PairingFault =
  /** The server retires the companion's registration as soon as the companion has its QR. */
  | { readonly kind: 'registration-refresh' }
  /** The server refuses the request for a pairing code: 400 for a bad display name, 429 for too many requests. */
  | { readonly kind: 'refuse-code'; readonly error: 400 | 429 }
  /** The server refuses the companion's answer to a typed code. */
  | { readonly kind: 'refuse-finish'; readonly error: 400 | 429 }
  /** The companion gets the phone's hello twice, under one stanza id. */
  | { readonly kind: 'double-hello' }
  /** Before the real hello comes one with a reference that this companion never got. */
  | { readonly kind: 'stray-hello' }
  /** `<client-props>` of the link is missing, or holds no protobuf. */
  | { readonly kind: 'client-props'; readonly as: 'missing' | 'damaged' };

/** A device connects a second time. The older connection stays open and hears nothing of it. */
export type TakeoverFault = { readonly kind: 'keep-older' };

export type FaultScope = {
  /** Only for this number. */
  readonly from?: string;
  /** Only for messages to this number. */
  readonly to?: string;
  /** How often it strikes; once by default. */
  readonly times?: number;
};

export interface ArmedFault {
  /** How often it has struck. */
  readonly struck: number;
  lift(): void;
}

export interface Faults {
  messages(fault: MessageFault, scope?: FaultScope): ArmedFault;
  queries(kind: QueryKind | 'any', fault: QueryFault, scope?: FaultScope): ArmedFault;
  queries(kind: 'usync', fault: QueryFault | UsyncFault, scope?: FaultScope): ArmedFault;
  logins(fault: LoginFailure, scope?: FaultScope): ArmedFault;
  pairings(fault: PairingFault, scope?: FaultScope): ArmedFault;
  takeovers(fault: TakeoverFault, scope?: FaultScope): ArmedFault;
  /** Lifts all faults. */
  clear(): void;
}

type Armed<Fault> = ArmedFault & { struck: number; readonly fault: Fault; readonly scope: FaultScope };

/** Faults of one sort. `take` returns the oldest that fits, and counts it. */
export class FaultList<Fault> {
  private armed: Armed<Fault>[] = [];

  arm(fault: Fault, scope: FaultScope = {}): ArmedFault {
    const entry: Armed<Fault> = {
      fault,
      scope,
      struck: 0,
      lift: () => {
        this.armed = this.armed.filter((other) => other !== entry);
      },
    };
    this.armed.push(entry);
    return entry;
  }

  take(from: string | null, to: string | null = null, fits: (fault: Fault) => boolean = () => true): Fault | null {
    const found = this.armed.find(({ scope, fault }) => {
      if (scope.from !== undefined && scope.from !== from) return false;
      return (scope.to === undefined || scope.to === to) && fits(fault);
    });
    if (!found) return null;
    found.struck += 1;
    if (found.struck >= (found.scope.times ?? 1)) found.lift();
    return found.fault;
  }

  clear(): void {
    this.armed = [];
  }
}

type QueryFaultOfKind = { readonly query: QueryKind | 'any'; readonly fault: QueryFault | UsyncFault };

/** All faults of one relay. The parts of the relay take them from these lists. */
export class ArmedFaults implements Faults {
  readonly messageFaults = new FaultList<MessageFault>();
  readonly queryFaults = new FaultList<QueryFaultOfKind>();
  readonly loginFailures = new FaultList<LoginFailure>();
  readonly pairingFaults = new FaultList<PairingFault>();
  readonly takeoverFaults = new FaultList<TakeoverFault>();

  messages(fault: MessageFault, scope?: FaultScope): ArmedFault {
    return this.messageFaults.arm(fault, scope);
  }

  queries(kind: QueryKind | 'any', fault: QueryFault | UsyncFault, scope?: FaultScope): ArmedFault {
    return this.queryFaults.arm({ query: kind, fault }, scope);
  }

  logins(fault: LoginFailure, scope?: FaultScope): ArmedFault {
    return this.loginFailures.arm(fault, scope);
  }

  pairings(fault: PairingFault, scope?: FaultScope): ArmedFault {
    return this.pairingFaults.arm(fault, scope);
  }

  takeovers(fault: TakeoverFault, scope?: FaultScope): ArmedFault {
    return this.takeoverFaults.arm(fault, scope);
  }

  queryFault(number: string | null, kind: QueryKind): QueryFault | UsyncFault | null {
    const found = this.queryFaults.take(number, null, ({ query }) => query === 'any' || query === kind);
    return found?.fault ?? null;
  }

  clear(): void {
    this.messageFaults.clear();
    this.queryFaults.clear();
    this.loginFailures.clear();
    this.pairingFaults.clear();
    this.takeoverFaults.clear();
  }
}
