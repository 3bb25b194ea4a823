/** When an open lane listens for its otps, so that most of them need no job: while jobs for them keep coming, or rings. */
import type { MessageId } from '@kurir/contracts';
import type { Turn } from '@kurir/queue';

export type OtpListeningOptions = {
  /** Hears each ring until the answer is called, and a moment longer. */
  readonly listen: (onRing: () => void) => () => void;
  readonly takeTurn: () => Promise<Turn>;
  /** Has jobs made for what is due. */
  readonly fill: () => void;
  /** The lane is open, and keeps neither a pace nor a jitter. */
  readonly goesOn: () => boolean;
  /** Milliseconds by a clock that never goes back. */
  readonly now: () => number;
};

export type OtpListening = {
  /** Takes the turn of a job for otps, its first one or another. */
  duringJob(messageId: MessageId, take: () => Promise<Turn>): Promise<Turn>;
  /** A turn that is no otp's goes on for a while, and otps that come meanwhile should not wait for its end. */
  duringOthers(): void;
  /** A ring that counted on us is still heard: it has its turn, or where there is none any more, jobs. */
  end(): void;
};

/** From one to the next, while they keep coming. Otps that are rung for have a job once a second, too. */
const keepComingMs = 2_000;

export function createOtpListening({ listen, takeTurn, fill, goesOn, now }: OtpListeningOptions): OtpListening {
  let lastAt = Number.NEGATIVE_INFINITY;
  let lastJob: MessageId | null = null;
  let stop: (() => void) | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function answer(): Promise<void> {
    while (goesOn()) if ((await takeTurn()) !== 'again') return;
    end();
    fill();
  }

  function onRing(): void {
    lastAt = now();
    void answer();
  }

  function endWhenQuiet(): void {
    const leftMs = lastAt + keepComingMs - now();
    if (leftMs <= 0) return end();
    timer = setTimeout(endWhenQuiet, leftMs);
  }

  function end(): void {
    clearTimeout(timer);
    stop?.();
    stop = null;
  }

  function begin(): void {
    lastAt = now();
    if (stop !== null || !goesOn()) return;
    stop = listen(onRing);
    endWhenQuiet();
  }

  /** One that has its turn again is none that came: a lane that is never done with what is due needs no more of them. */
  function noteJob(messageId: MessageId): void {
    const keepComing = now() - lastAt < keepComingMs && messageId !== lastJob;
    lastJob = messageId;
    lastAt = now();
    if (keepComing) begin();
  }

  return {
    async duringJob(messageId, take) {
      noteJob(messageId);
      const ended = await take();
      // A turn may take seconds.
      lastAt = now();
      return ended;
    },
    duringOthers: begin,
    end,
  };
}
