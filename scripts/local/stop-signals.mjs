// Tells when to stop: at ^C, TERM or HUP, or when npm ends, because npm does not pass TERM on.
const PARENT_EVERY_MS = 400;

/** Calls `stop(reason)` at the first signal and `insist()` at each further ^C. */
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
