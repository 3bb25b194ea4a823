/**
 * Steps 5 to 7 for one connected device. A turn is a loop: claim a message, send it, store the answer, claim the next one.
 * Turns run one after the other. A turn assumes nothing about Postgres: its claim finds the messages that an earlier turn,
 * connection or owner left. A second run finds nothing due.
 */
import { priorityRanks } from '@kurir/contracts';
import { capPace, claimMessage, giveUp, type StandingMessage } from '@kurir/database';
import type { Session } from '@kurir/network';
import type { Ticket, TurnEnd } from '@kurir/queue';
import { type ConnectedDevice, maySend } from './connected-device.js';
import { LanePace } from './lane-pace.js';
import { retryWrite } from './retry-write.js';
import { noteClaim } from './trace-message.js';
import { storeLastOutcome, type TryEnd, tryMessage } from './try-message.js';

/** After this time a turn makes room for the lane's other tickets. */
const longestTurnMs = 250;
/** The pause after an interrupted turn. Its ticket keeps its place. */
const interruptedPauseMs = 500;

export class DeviceLane {
  readonly #device: ConnectedDevice;
  readonly #session: Session;
  readonly #pace: LanePace;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #turns = 0;

  constructor(device: ConnectedDevice, session: Session) {
    this.#device = device;
    this.#session = session;
    this.#pace = new LanePace(device.clock, () => device.requestTickets());
  }

  /** Takes the turn of a ticket; never rejects. Once `isWanted` returns false, the turn ends after its present message. */
  take({ priority, messageId, requestId }: Ticket, isWanted: () => boolean): Promise<TurnEnd> {
    return this.#afterLastTurn(async () => {
      if (priority !== priorityRanks.otp && this.#pace.isClosed) return 'done';
      return this.#takeTurn(isWanted, { messageId, requestId });
    });
  }

  /** Takes a turn without a ticket, for messages that an earlier turn left unanswered; never rejects. */
  recover(isWanted: () => boolean): Promise<void> {
    return this.#afterLastTurn(async () => void (await this.#takeTurn(isWanted, {})));
  }

  /** The device has another pace. It counts at once, and due messages get tickets. Rejects if Postgres is unavailable. */
  paceChanged(): Promise<void> {
    return this.#afterLastTurn(async () => {
      const { database, deviceId } = this.#device.lease;
      await capPace(database, deviceId);
      this.#pace.open();
    });
  }

  /** Whether a turn is running. */
  get isBusy(): boolean {
    return this.#turns > 0;
  }

  /** Resolves when the present turn is over; never rejects. */
  async idle(): Promise<void> {
    await this.#lastTurn;
  }

  /** The lane asks for no more tickets. */
  close(): void {
    this.#pace.forget();
  }

  /** Runs `work` after all earlier turns, also after those of an earlier opening of this lane. */
  #afterLastTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#turns++;
    const result = this.#lastTurn.then(work).finally(() => this.#turns--);
    this.#lastTurn = result.catch(() => undefined);
    return result;
  }

  /** If the turn is interrupted, its ticket gets another turn after a pause. The next claim finds the unfinished message. */
  async #takeTurn(isWanted: () => boolean, about: object): Promise<TurnEnd> {
    try {
      return await this.#sendMessages(isWanted);
    } catch (err) {
      this.#device.lease.log.warn({ err, ...about }, 'turn interrupted, will be taken again');
      await this.#device.clock.pause(interruptedPauseMs);
      return 'again';
    }
  }

  async #sendMessages(isWanted: () => boolean): Promise<TurnEnd> {
    const { clock } = this.#device;
    const until = clock.now() + longestTurnMs;
    while (isWanted()) {
      if (!maySend(this.#device)) return 'not-now';
      const end = await this.#sendNext(isWanted);
      if (end !== 'go-on' && end !== 'unanswered') return end;
      // After an unanswered try the turn goes on: the claim returns the same message, or a one-time code first.
      if (end === 'go-on' && clock.now() >= until) break;
    }
    return 'again';
  }

  /** Claims one message and sends it. Returns how the turn ends if there is none to send. */
  async #sendNext(isWanted: () => boolean): Promise<TurnEnd | TryEnd> {
    const { lease, claimer, clock } = this.#device;
    await storeLastOutcome(this.#device);
    const askedAt = clock.now();
    const claimedAt = Date.now();
    const claimed = await claimMessage(claimer, { ...lease.token, lastTry: lease.lastTry.name });
    switch (claimed.kind) {
      case 'nothing':
        return 'done';
      case 'waits':
        if (isWanted()) this.#pace.closeFor(claimed.waitMs);
        return 'done';
      case 'lease-lost':
        lease.lost();
        return 'not-now';
      case 'busy':
        return 'go-on';
      case 'exhausted':
        await this.#giveUp(claimed.message);
        return 'go-on';
      case 'claimed':
        noteClaim(claimed.message, lease.deviceId, claimedAt);
        return tryMessage(this.#device, this.#session, claimed.message, askedAt);
    }
  }

  /** A tried message may have gone out, so its recipient is noted as a contact first. */
  async #giveUp(message: StandingMessage): Promise<void> {
    const { contacts, lease } = this.#device;
    const note = () => contacts.noteRecipientOf(message.networkMessageId);
    if (!message.untried) await retryWrite(this.#device, () => maySend(this.#device), note, { messageId: message.id });
    await giveUp(lease.database, lease.token, message);
  }
}
