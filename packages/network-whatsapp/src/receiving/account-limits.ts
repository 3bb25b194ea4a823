/**
 * Watches what WhatsApp allows this account to do with new contacts. There are two limits: the reach-out timelock (no
 * messages to new contacts until a time), and the quota of new chats with its warnings. The driver asks after the
 * login, after a message was refused because of a limit, and regularly while a limit holds. The network announces
 * changes.
 */
import type { AccountLimits } from '@kurir/network';
import { type BaileysEventMap, NewChatMessageCappingStatusType, type WASocket } from 'baileys';

type Timelock = NonNullable<BaileysEventMap['connection.update']['reachoutTimeLock']>;
type Cap = BaileysEventMap['message-capping.update'];

const askAgainMs = 3_600_000;

export class AccountLimitsWatch {
  readonly #socket: WASocket;
  readonly #report: (limits: AccountLimits) => void;
  #timelock: Timelock | null = null;
  #cap: Cap | null = null;
  #asked = false;
  #reported = '';
  #askAgain: NodeJS.Timeout | undefined;

  constructor(socket: WASocket, report: (limits: AccountLimits) => void) {
    this.#socket = socket;
    this.#report = report;
    // The answer to our own query arrives as this event, too.
    socket.ev.on('connection.update', ({ connection, reachoutTimeLock }) => {
      if (connection === 'close') this.#stop();
      if (reachoutTimeLock) this.#timelock = reachoutTimeLock;
      if (reachoutTimeLock) this.#tell();
    });
    socket.ev.on('message-capping.update', (cap) => {
      this.#cap = cap;
      this.#tell();
    });
  }

  /** Asks for both limits. Never rejects: limits that the network does not tell stay unknown. */
  async ask(): Promise<void> {
    this.#asked = true;
    const cap = this.#socket.fetchNewChatMessageCap().catch(() => null);
    const timelock = this.#socket.fetchAccountReachoutTimelock().catch(() => null);
    this.#cap = (await cap) ?? this.#cap;
    await timelock;
    this.#tell();
  }

  /** Null when the account may write to new contacts. `until` is null when the network named no end. */
  get restriction(): { readonly until: Date | null } | null | 'unknown' {
    if (this.#timelock === null) return 'unknown';
    const newContacts = newContactsOf(this.#timelock, this.#cap);
    return newContacts === 'allowed' ? null : { until: newContacts.blockedUntil };
  }

  #stop(): void {
    this.#asked = false;
    clearTimeout(this.#askAgain);
  }

  /**
   * Reports limits that have changed. Reports nothing before the login, and nothing before the timelock is known,
   * because it decides.
   */
  #tell(): void {
    if (!this.#asked || this.#timelock === null) return;
    const warning = warningOf(this.#cap);
    const limits: AccountLimits = {
      newContacts: newContactsOf(this.#timelock, this.#cap),
      newChatQuota: quotaOf(this.#cap),
      ...(warning === null ? {} : { warning }),
    };
    this.#keepAsking(limits);
    const told = JSON.stringify(limits);
    // A warning without an end counts only for a while after it was reported, so it is reported again.
    if (told === this.#reported && warning?.until !== null) return;
    this.#reported = told;
    this.#report(limits);
  }

  /**
   * The network does not always announce the end of a warning. With a used-up quota, no refusal shows that it has
   * ended.
   */
  #keepAsking({ newContacts, warning }: AccountLimits): void {
    clearTimeout(this.#askAgain);
    if (newContacts === 'allowed' && warning === undefined) return;
    this.#askAgain = setTimeout(() => void this.ask(), askAgainMs);
    this.#askAgain.unref();
  }
}

/**
 * A timelock whose end has passed is ignored. If a timelock has no end, Baileys sets it to a minute ahead, as WhatsApp
 * Web does.
 */
function newContactsOf(timelock: Timelock | null, cap: Cap | null): AccountLimits['newContacts'] {
  const blockedUntil = timelock?.timeEnforcementEnds ?? null;
  if (timelock?.isActive && (blockedUntil === null || blockedUntil.getTime() > Date.now())) {
    return { blockedUntil, reason: (timelock.enforcementType ?? 'unknown').toLowerCase() };
  }
  if (cap?.capping_status === NewChatMessageCappingStatusType.CAPPED) {
    return { blockedUntil: dateOf(cap.cycle_end_timestamp), reason: 'new_chat_quota_used_up' };
  }
  return 'allowed';
}

/** The warning of the network's current cycle. A used-up quota counts as the second warning. */
function warningOf(cap: Cap | null): NonNullable<AccountLimits['warning']> | null {
  const until = dateOf(cap?.cycle_end_timestamp);
  switch (cap?.capping_status) {
    case NewChatMessageCappingStatusType.FIRST_WARNING:
      return { kind: 'first', until };
    case NewChatMessageCappingStatusType.SECOND_WARNING:
    case NewChatMessageCappingStatusType.CAPPED:
      return { kind: 'second', until };
    default:
      return null;
  }
}

/** A total of -1 or 0 means that the network counts nothing. */
function quotaOf(cap: Cap | null): AccountLimits['newChatQuota'] {
  const { total_quota: total = 0, used_quota: used = 0 } = cap ?? {};
  return total > 0 ? { used, total, resetsAt: dateOf(cap?.cycle_end_timestamp) } : null;
}

/** Parses seconds since 1970, as text; 0 means no date. */
function dateOf(seconds: string | undefined): Date | null {
  const value = Number(seconds);
  return Number.isFinite(value) && value > 0 ? new Date(value * 1_000) : null;
}
