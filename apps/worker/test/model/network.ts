/**
 * The network and its phones, in memory: the witness. It shows a message once per id, as WhatsApp does, and only from
 * the session that logged in last; what it was given and when is the truth that everything else is held against.
 */
export type Fate =
  /** Shown and acknowledged. */
  | 'ack'
  /** Shown; the acknowledgement never comes, or comes later as a report. */
  | 'ack-lost'
  /** Never arrives. */
  | 'lost'
  /** Arrives later, or never. */
  | 'delayed'
  /** Refused for good. */
  | 'refused'
  /** Refused for now. */
  | 'busy'
  /** The connection breaks after the frame arrived. */
  | 'reset';

export type Frame = {
  readonly networkMessageId: string;
  readonly recipient: string;
  /** What makes the message recognisable under whatever id. */
  readonly text: string;
  readonly writtenAt: number;
  /** The how manieth frame it is. */
  readonly ordinal: number;
};

export type Answer = 'ack' | 'refused' | 'busy' | 'silence' | 'reset';

/** One login; only the latest is heard. */
export type Login = { readonly epoch: bigint };

export class Network {
  /** What the phone shows, in its order: one frame per id. */
  readonly shown: Frame[] = [];
  /** What was written to a live connection, in order. */
  readonly written: Frame[] = [];
  /** Written and not refused: each reached its recipient or may have. */
  readonly taken: Frame[] = [];
  /** Written and neither arrived nor lost yet. */
  readonly inFlight: Frame[] = [];
  /** The account knows this companion. */
  linked = true;
  #login: Login | null = null;

  /** False when the account knows us no more. The older login is closed without a word: nobody hears of it in time. */
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

  /** By the phone, or by us: no login lasts. */
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

  /** A frame that was on its way arrives after all. */
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
