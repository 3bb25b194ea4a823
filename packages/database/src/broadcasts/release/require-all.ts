/** Somebody has erased a recipient since the step read the list. Another step then begins with the list as it is. */
export function requireAll(changed: number | null | undefined, expected: number | undefined): void {
  if (changed !== expected) throw new Error('recipients of a broadcast have changed during a step');
}
