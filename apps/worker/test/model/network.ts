/**
 * The network and its phones, in memory. As WhatsApp does, it shows a message once per id, and only from the session that
 * logged in last. The verifier compares all else with the frames that the network received.
 */
export type Fate =
  /** Shown and acknowledged. */
  | 'ack'
  /** Shown. The acknowledgement never comes, or comes later as a report. */
  | 'ack-lost'
  /** Never arrives. */
  | 'lost'
  /** Arrives later, or never. */
  | 'delayed'
  /** Refused permanently. */
  | 'refused'
  /** Refused for the moment. */
  | 'busy'
  /** The connection breaks after the frame arrived. */
  | 'reset';

export type Frame = {
  readonly networkMessageId: string;
  readonly recipient: string;
  /** Identifies the message even if its id is wrong. */
  readonly text: string;
  readonly writtenAt: number;
  /** The number of earlier frames. */
  readonly ordinal: number;
};

export type Answer = 'ack' | 'refused' | 'busy' | 'silence' | 'reset';

/** One login. The network listens only to the latest. */
export type Login = { readonly epoch: bigint };

export class Network {
  /** The frames that the phone shows, in its order, one per id. */
  readonly shown: Frame[] = [];
  /** The frames that were written to a live connection, in order. */
  readonly written: Frame[] = [];
  /** The written frames that were not refused. Each reached its recipient, or may have. */
  readonly taken: Frame[] = [];
  /** The written frames that have neither arrived nor got lost. */
  readonly inFlight: Frame[] = [];
  /** Whether the account still knows this device. */
  linked = true;
  #login: Login | null = null;

  /** Returns false if the device is no longer linked. The older login ends silently, so that its worker notices late. */
  login(login: Login): boolean {
    if (this.linked) this.#login = login;
    return this.linked;
  }

  isLive(login: Login): boolean {
    return this.#login === login;
  }

  end(login: Login): void {
    if (this.#login === login) this.#login = null;
  }

  /** The phone or the worker logs the device out, which ends all logins. */
  logOut(): void {
    this.linked = false;
    this.#login = null;
  }

  write(
    login: Login,
    message: Pick<Frame, 'networkMessageId' | 'recipient' | 'text'>,
    now: number,
    fate: Fate,
  ): Answer {
    if (!this.isLive(login)) return 'reset';
    const { networkMessageId, recipient, text } = message;
    const frame = { networkMessageId, recipient, text, writtenAt: now, ordinal: this.written.length };
    this.written.push(frame);
    const answer = this.#arrive(login, frame, fate);
    if (answer !== 'refused' && answer !== 'busy') this.taken.push(frame);
    return answer;
  }

  #arrive(login: Login, frame: Frame, fate: Fate): Answer {
    if (fate === 'lost') return 'silence';
    if (fate === 'delayed') {
      this.inFlight.push(frame);
      return 'silence';
    }
    const isRepeat = this.#isShown(frame.networkMessageId);
    if (!isRepeat && (fate === 'refused' || fate === 'busy')) return fate;
    this.#show(frame);
    if (fate === 'reset') this.end(login);
    return fate === 'ack-lost' ? 'silence' : fate === 'reset' ? 'reset' : 'ack';
  }

  /** A frame that is in flight arrives. */
  arrive(index: number): void {
    const [frame] = this.inFlight.splice(index, 1);
    if (frame !== undefined) this.#show(frame);
  }

  #isShown(networkMessageId: string): boolean {
    return this.shown.some((frame) => frame.networkMessageId === networkMessageId);
  }

  #show(frame: Frame): void {
    if (!this.#isShown(frame.networkMessageId)) this.shown.push(frame);
  }
}
