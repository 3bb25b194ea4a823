/** A connection that fails tries again about once a second, and each attempt may fail in the same way. */
const tellEveryMs = 60_000;
/** Above this number of different errors, the oldest are forgotten. */
const mostErrors = 100;

/** A refusal of Redis begins with its code, such as READONLY, and goes on with what was refused. */
const kindOf = ({ name, message }: Error) => (name === 'ReplyError' ? (message.split(' ')[0] ?? '') : message);

/** Returns a function that passes each error on, but the same error only once a minute. */
export function reportRarely(
  report: (error: Error) => void,
  now: () => number = () => performance.now(),
): (error: Error) => void {
  const toldAt = new Map<string, number>();
  return (error) => {
    const kind = kindOf(error);
    const last = toldAt.get(kind);
    if (last !== undefined && now() - last < tellEveryMs) return;
    toldAt.delete(kind);
    toldAt.set(kind, now());
    const oldest = toldAt.keys().next().value;
    if (toldAt.size > mostErrors && oldest !== undefined) toldAt.delete(oldest);
    report(error);
  };
}
