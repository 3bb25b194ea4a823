/** What the person at the command line must put right; shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
