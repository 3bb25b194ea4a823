/**
 * Otps first, among the devices of one worker. They share its processor and the database, so whatever goes out beside an
 * otp makes that one later: while otps are on their way, a device without a pace pauses before each claim of a turn that is no
 * otp's. What it claims then may be an otp of its own all the same, which waited for the pause.
 */

export type OtpsFirst = { ofDevice(): OtpsFirstOfDevice };

export type OtpsFirstOfDevice = {
  /** It sends an otp. */
  sending(): void;
  /** Before it claims for a turn that is no otp's. */
  giveWay(): Promise<void>;
};

/** Otps are on their way: the last one began no longer ago. */
const onTheirWayMs = 50;
/** So long an otp of the pausing device itself may have to wait. */
const pauseMs = 50;
/** A device that sent an otp within this pauses for no other's: it would hold up its own next one. */
const ownMs = 1_000;

/** `now`: milliseconds by a clock that never goes back. */
export function createOtpsFirst(now: () => number): OtpsFirst {
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    ofDevice() {
      let ownAt = Number.NEGATIVE_INFINITY;
      return {
        sending() {
          lastAt = now();
          ownAt = lastAt;
        },
        async giveWay() {
          const pauses = now() - lastAt < onTheirWayMs && now() - ownAt >= ownMs;
          if (pauses) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        },
      };
    },
  };
}
