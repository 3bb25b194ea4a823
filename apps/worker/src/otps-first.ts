/**
 * Otps first, among the devices of one worker. They share its processor and the database, so whatever goes out beside an
 * otp makes that one later: while otps are on their way, a device without a pace pauses before each claim and each message of a turn
 * that are no otp's, and claims one at a time. An otp of its own that is rung for ends the pause; one that is not waits for its end.
 */

export type OtpsFirst = { ofDevice(): OtpsFirstOfDevice };

export type OtpsFirstOfDevice = {
  /** It sends an otp. */
  sending(): void;
  /** The last otp of some device began within a second. */
  areComing(): boolean;
  /** Before it claims or sends anything else; not twice at a time. */
  giveWay(): Promise<void>;
  /** There are otps of its own: it pauses no longer. */
  rung(): void;
};

const comingMs = 1_000;
/** Otps are on their way: the last one began no longer ago. */
const onTheirWayMs = 50;
const pauseMs = 50;

/** `now`: milliseconds by a clock that never goes back. */
export function createOtpsFirst(now: () => number): OtpsFirst {
  let lastAt = Number.NEGATIVE_INFINITY;
  const beganWithin = (ms: number) => now() - lastAt < ms;
  return {
    ofDevice() {
      let goOn: (() => void) | null = null;
      return {
        sending() {
          lastAt = now();
        },
        areComing: () => beganWithin(comingMs),
        async giveWay() {
          if (!beganWithin(onTheirWayMs)) return;
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, pauseMs);
            goOn = () => {
              clearTimeout(timer);
              resolve();
            };
          });
          goOn = null;
        },
        rung: () => goOn?.(),
      };
    },
  };
}
