/** Lets only a few devices connect at a time, so that a worker with many devices does not flood the network at its start. */
export type ConnectGate = {
  /** Resolves when the caller may connect. Call the returned function once the device is connected or has failed. */
  enter(): Promise<() => void>;
};

export function createConnectGate(atOnce: number): ConnectGate {
  const queue: (() => void)[] = [];
  let inside = 0;

  function leave(): void {
    const next = queue.shift();
    if (next === undefined) inside--;
    else next();
  }

  function once(work: () => void): () => void {
    let done = false;
    return () => {
      if (!done) work();
      done = true;
    };
  }

  return {
    async enter() {
      if (inside < atOnce) inside++;
      else await new Promise<void>((resolve) => queue.push(resolve));
      return once(leave);
    },
  };
}
