/** Resources that keep this process alive, as Node names them. */
export const SOCKETS: readonly string[] = ['TCPSocketWrap', 'TCPServerWrap'];
export const SOCKETS_AND_TIMERS: readonly string[] = [...SOCKETS, 'Timeout'];

export function countOpen(kinds: readonly string[]): number {
  return process.getActiveResourcesInfo().filter((resource) => kinds.includes(resource)).length;
}

/** The lowest count within a while, because the timers of the test runner come and go. */
export async function countOpenAtRest(kinds: readonly string[]): Promise<number> {
  let fewest = countOpen(kinds);
  for (let sample = 0; sample < 100; sample += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 2));
    fewest = Math.min(fewest, countOpen(kinds));
  }
  return fewest;
}
