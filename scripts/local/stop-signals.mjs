// When to stop: ^C, TERM, HUP, or the death of npm, which does not hand TERM on to what it runs.
const PARENT_EVERY_MS = 400;

/** Calls `stop(reason)` at the first sign and `insist()` at each further ^C. */
export function onStopRequest(stop, insist = () => {}) {
  let asked = false;
  const ask = (reason) => {
    if (asked) return insist();
    asked = true;
    stop(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ask(signal));
  if (!process.env.npm_lifecycle_event) return; // started by hand, perhaps in the background of a shell that ends
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ask('npm ended');
  }, PARENT_EVERY_MS);
  timer.unref();
}
