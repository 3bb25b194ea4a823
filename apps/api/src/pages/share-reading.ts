/**
 * Returns a function that gives all callers of the same time one reading, which stays good for `forMs` after its end.
 * `read` must not reject.
 */
export function shareReading<T>(read: () => Promise<T>, forMs: number): () => Promise<T> {
  let reading: Promise<T> | null = null;
  let goodUntil = Number.POSITIVE_INFINITY;

  async function readAnew(): Promise<T> {
    const value = await read();
    goodUntil = performance.now() + forMs;
    return value;
  }

  return () => {
    if (reading === null || performance.now() >= goodUntil) {
      goodUntil = Number.POSITIVE_INFINITY;
      reading = readAnew();
    }
    return reading;
  };
}
